"""Checks and heuristics that several task types share, one concern a file."""
