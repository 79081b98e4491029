from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("solving", "0001_first")]

    operations = [
        migrations.AddField(
            model_name="challenge",
            name="tried_at",
            field=models.DateTimeField(blank=True, help_text="when the solvers failed at it last", null=True),
        ),
    ]
