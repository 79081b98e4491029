"""What answers add up to, what experts decide, what later stages said: settle, decide, undo, heed, promote.

Owns Outcome, Review and Feedback. Answers are never edited; a reviewer's edit is a Review with the new value.
"""
