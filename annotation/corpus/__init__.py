"""Paragraph collections, and search over them while people work. Owns Corpus.

A collection is imported once, whole or not at all, and never changes: another content is another
row, known by the hash of its content (`digest`), which answers and releases carry. `base.py` says
what an index can do; `embedded.py`, `opensearch.py` and `memory.py` do it.
"""
