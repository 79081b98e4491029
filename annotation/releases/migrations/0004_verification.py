from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('releases', '0003_events_counted'),
    ]

    operations = [
        migrations.AddField(
            model_name='release',
            name='problems',
            field=models.JSONField(blank=True, default=list, help_text='what the last verification found'),
        ),
        migrations.AddField(
            model_name='release',
            name='verification',
            field=models.CharField(blank=True, choices=[('', 'None'), ('ordered', 'Ordered'), ('running', 'Running'), ('done', 'Done')], default='', max_length=10),
        ),
        migrations.AddField(
            model_name='release',
            name='verification_since',
            field=models.DateTimeField(blank=True, help_text='when it was ordered, or began', null=True),
        ),
        migrations.AddField(
            model_name='release',
            name='verified_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
