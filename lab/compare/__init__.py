"""Runs on one question side by side: what each came to, and where they part."""
