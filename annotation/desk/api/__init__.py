"""The REST API, `/api/v1/`: the researcher's pages for programs. Same queries, same actions, same powers.

Field lists are explicit and unknown fields are refused. What is somebody else's is not there (404).
"""
