"""What is to be done: projects, their stages, and the items at each stage.

Owns Project, Membership, Stage and Item. Items come in by `import_items` or by promotion from an
earlier stage; their state says where they stand, with a reason.
"""
