"""What a worker is asked, what a good answer is, how answers add up.

Pure Python: no Django, no database, no network, and nothing from `annotation/`.
`base.py` holds the shapes, `registry.py` finds task types and pipelines by their folders.
"""
