"""A production site's modules have the hash of their content in their names, and call one another by those."""

import re

from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command

OTHERS = ["admin*", "unfold*", "rest_framework*", "drf_spectacular*", "simple_history*"]


def test_modules_import_what_was_stored_with_them(settings, tmp_path):
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "annotation.static_files.HashedFiles"}}
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=OTHERS)
    address = staticfiles_storage.url("js/workbench/page.js")
    assert re.fullmatch(r"/static/js/workbench/page\.[0-9a-f]{12}\.js", address)
    modules = {path for path in (tmp_path / "js").rglob("*.js") if re.search(r"\.[0-9a-f]{12}\.js$", path.name)}
    imported = {(path, name) for path in modules for name in re.findall(r'from "(\.[^"]+)"', path.read_text())}
    assert len(imported) > 50
    for path, name in imported:
        assert (path.parent / name).resolve() in modules, f"{path.name} imports {name}"
