"""The base of errors that a person can act on."""

from __future__ import annotations


class LabError(Exception):
    """What was asked cannot be done. One line: what happened, to what, what to do."""
