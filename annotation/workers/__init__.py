"""Who works for us, under which pseudonym, and who may do what.

Owns Worker, WorkerIdentity, Qualification and Grant. A marketplace's worker id lives in WorkerIdentity
alone; everything else, logs and pages included, knows the pseudonym. `qualifying.py` says who holds a
qualification; the marketplace, which keeps everybody else from a HIT, follows by intents.
"""
