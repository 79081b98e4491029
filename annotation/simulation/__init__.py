"""A simulated crowd that works the way people do: over HTTP, through the pages, and no other way. Owns no table.

`crowd.py` runs workers of several characters in threads, `expert.py` a scripted reviewer; both see what a
browser would see and post the forms that stand there. What they type comes from the dataset's own
`tasks/<dataset>/simulation.py`, so that a new pipeline needs no edit here. Used by the demo, by tests,
by the benchmark, and by `replay`, which lets a published dataset come out of the system again.
"""
