"""The pages and endpoints that a worker sees inside a marketplace's frame. Owns no table.

No cookies, no query string of ours: the address carries the HIT's token, and every save, check and
submit presents a signed context bound to (HIT, assignment, worker).
"""
