"""The running service: tables, pages, jobs, money, review, releases.

Rooms import only downwards in the order that `docs/architecture.md` draws and
`tests/test_architecture.py` keeps; what a worker is asked lives in `tasks/`.
"""
