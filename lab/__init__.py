"""A retrieval-over-site lab: a bare agent loop whose every call can be read."""
