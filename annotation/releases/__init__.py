"""What we publish: frozen, described sets of accepted outcomes. Owns Release.

`build` writes a folder that explains itself, from the database as of one position in the event log;
the same position gives the same bytes. `verify` re-checks a folder, `diff` compares two.
"""
