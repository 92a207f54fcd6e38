"""Forks: a saved run with one event changed, run on from there."""
