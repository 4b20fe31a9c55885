from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ingest', '0007_webhooks'),
    ]

    operations = [
        migrations.AlterField(
            model_name='alert',
            name='kind',
            field=models.CharField(choices=[('breaker', 'Breaker flipped'), ('dead_letter', 'Dead letters'), ('old_dead_letter', 'Dead letters nobody takes care of'), ('reconciliation', 'Batch does not add up'), ('batch_failed', 'Batch failed'), ('retry_storm', 'Many retries'), ('permission', 'Access refused'), ('silence', 'Process gives no sign of life'), ('review_late', 'Cases nobody has looked at in time')], max_length=20, verbose_name='kind'),
        ),
    ]
