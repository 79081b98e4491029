from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('releases', '0002_progress'),
    ]

    operations = [
        migrations.AddField(
            model_name='release',
            name='log_events',
            field=models.BigIntegerField(blank=True, help_text='how many events of the project it knows of; empty: they were not counted yet', null=True),
        ),
        migrations.AlterField(
            model_name='release',
            name='claimed_at',
            field=models.DateTimeField(blank=True, help_text='when the last builder last gave a sign of life', null=True),
        ),
    ]
