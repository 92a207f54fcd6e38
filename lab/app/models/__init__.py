"""The Models page: endpoints, keys of this session, probes."""
