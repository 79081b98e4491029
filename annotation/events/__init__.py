"""The append-only log of what happened: `record()`, the verbs, and who did it. Owns Event.

Every action of a room above records one event in the transaction of its change. A release names the
position in this log as of which it was built.
"""
