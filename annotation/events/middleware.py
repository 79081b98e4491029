from annotation.events.actions import acting_as


class ActorMiddleware:
    """Lets events name the signed-in person. The session is read only if something is recorded."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        def actor() -> str:
            user = getattr(request, "user", None)
            return f"user:{user.pk}" if user is not None and user.is_authenticated else "visitor"

        with acting_as(actor):
            return self.get_response(request)
