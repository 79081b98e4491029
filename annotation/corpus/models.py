from django.db import models


class Corpus(models.Model):
    """A collection of paragraphs under a name, with one content for ever.

    Importing other content under the same name makes another row: projects keep the one that they
    use until they are given the newer. ready → missing is not stored: whether the index is there is
    asked of the index, since files and servers go their own ways.
    """

    class Backend(models.TextChoices):
        EMBEDDED = "embedded"
        OPENSEARCH = "opensearch"

    name = models.SlugField(max_length=60)
    digest = models.CharField(max_length=64, help_text="hash of the content; the same paragraphs, the same digest")
    backend = models.CharField(max_length=12, choices=Backend)
    form = models.CharField(max_length=20, help_text="form of the files that it was imported from")
    files = models.JSONField(default=list, help_text="their names")
    paragraphs = models.PositiveBigIntegerField()
    pages = models.PositiveBigIntegerField(help_text="titles")
    words = models.PositiveBigIntegerField()
    imported_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "corpora"
        ordering = ["name", "-id"]
        constraints = [models.UniqueConstraint(fields=["name", "digest"], name="one_corpus_a_content")]

    def __str__(self) -> str:
        return f"{self.name} ({self.digest[:12]})"
