"""The requester API: JSON 1.1 on the root address, every operation of the installed botocore's MTurk model."""
