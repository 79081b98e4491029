from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('hits', '0005_spare_indexes'),
    ]

    operations = [
        migrations.AddField(
            model_name='hit',
            name='expire_wanted',
            field=models.BooleanField(db_default=False, default=False, help_text='to be taken off the market as soon as it is there'),
        ),
    ]
