"""Models in the loop: puts what workers write to solvers, keeps what these answered, and trains those that learn.

Owns Challenge, Attempt, Lesson and SolverVersion. What is too easy is said by a policy of `tasks/solvers/`; a question
whose solvers can't be reached is held, paid, and judged later.
"""
