"""Qualification tests: trial work in the real form at its own pay, read by graders, answered in words.

Owns Programme, TrialItem, Trial and Grade. `programmes.py` sets a test up and offers it, `grading.py` takes what
graders say, `deciding.py` carries verdicts to the marketplace and to the worker. Trial work is never released.
"""
