"""The proxy that the environment names, read as the HTTP clients of the SDKs read it."""

from __future__ import annotations

import os
from urllib.parse import urlsplit
from urllib.request import proxy_bypass

from lab.places import LOOPBACK


def proxy_variable(address: str) -> str:
    """The variable that names the proxy for an address; empty where it is reached without one.

    The variable, not its value: that may hold a password.
    """
    parts = urlsplit(address)
    if not parts.hostname or parts.hostname in LOOPBACK or proxy_bypass(parts.hostname):
        return ""
    names = (f"{parts.scheme}_proxy", "all_proxy")
    asked = (form for name in names for form in (name, name.upper()))
    return next((name for name in asked if os.environ.get(name)), "")
