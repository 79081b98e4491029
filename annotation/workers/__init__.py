"""Who works for us, under which pseudonym, and who may do what.

Owns Worker and WorkerIdentity. A marketplace's worker id lives in WorkerIdentity alone; everything
else, logs and pages included, knows the pseudonym.
"""
