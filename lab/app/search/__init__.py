"""The Search page: what search_site returns and why."""
