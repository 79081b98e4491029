"""What answers add up to, and what experts decide: settle, decide, undo, promote; the queue in the admin.

Owns Outcome and Review. Answers are never edited; a reviewer's edit is a Review with the new value.
"""
