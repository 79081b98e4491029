"""What can be wrong with a derivability verdict."""


def nothing_said(item, answer, context):
    return None if answer.derivable else "Please say whether the fact can be drawn from the sentence: yes or no."
