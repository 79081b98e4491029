"""Where items are offered and what comes back: publish, collect, approve, reject, pay.

Owns HIT, HITItem, Assignment and Answer. Money moves only through this room's actions, as intents.
What counts is what the marketplace lists: `collecting` alone confirms an assignment.
"""
