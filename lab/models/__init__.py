"""Everything that can play the model: hosted and local endpoints, scripts, a stand-in."""
