"""Runs the pure checks of `tasks/`: live while a worker types, as a gate at submit, and over stored answers.

Owns LiveCheck and CheckResult. Judging is apart from fetching: `context.py` gathers what checks need.
"""
