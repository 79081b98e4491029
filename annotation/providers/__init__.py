"""Speaks to marketplaces: the verbs we need as plain data, and the ledger of what we asked for.

`base.py` declares the verbs, `mturk.py` speaks them with boto3 to whatever address an environment
names. Owns Intent: every effect outside is a row here first, so that a crash at any point can be
repaired by reading. Knows nothing of projects or HITs; the rooms above plan intents and read their results.
"""
