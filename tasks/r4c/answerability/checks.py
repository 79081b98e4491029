"""What can be wrong with an answerability verdict."""


def no_verdict(item, answer, context):
    return None if answer.verdict else "Please choose Yes, Likely or No."
