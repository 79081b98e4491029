"""How fast it is, in figures that hold on a noisy machine: `.venv/bin/python -m tests.benchmarks --help`.

Every rate of ours stands beside that of a bare Django view (`bare/`) with the same server, the same
settings of the same kind of database, on the same machine in the same run.
"""
