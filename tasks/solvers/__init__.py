"""Models in the loop: solvers that try to answer what a worker wrote, and the policy that rejects what is too easy."""
