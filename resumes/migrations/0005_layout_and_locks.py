from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('resumes', '0004_idempotency'),
    ]

    operations = [
        migrations.AddField(
            model_name='extraction',
            name='locked',
            field=models.JSONField(blank=True, default=list, verbose_name='locked'),
        ),
        migrations.AddField(
            model_name='resume',
            name='layout',
            field=models.CharField(blank=True, max_length=8, verbose_name='layout'),
        ),
    ]
