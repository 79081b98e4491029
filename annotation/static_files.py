"""How a production site keeps its static files: each under a name that carries a hash of its content.

So a browser keeps them for ever and never shows an old one. Modules import one another by plain relative
names; in the stored copies those are the hashed names as well, or a page would mix two versions.
"""

from django.contrib.staticfiles.storage import ManifestStaticFilesStorage


class HashedFiles(ManifestStaticFilesStorage):
    """Django's own, told to look into modules too."""

    support_js_module_import_aggregation = True
