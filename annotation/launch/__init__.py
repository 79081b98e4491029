"""Starting the whole service on one machine, and refusing to start a dangerous one. Owns no table.

`manage.py up` prepares (migrations, keys, accounts) and hands over to `supervisor.py`, a small program
without Django that keeps the real child processes running: the embedded broker, the marketplace, the
web server, the workers (`workers.py`). `demo.py` fills a first project; `checks.py` is what `check --deploy` adds.

`processes.py`, `health.py` and `supervisor.py` use the standard library only: the supervisor stays small.
"""
