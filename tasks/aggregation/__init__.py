"""How several judgements of one item become one: merged answers, shared words, votes.

Nothing here depends on the order in which judgements come in.
"""
