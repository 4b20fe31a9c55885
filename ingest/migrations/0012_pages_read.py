from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ingest", "0011_dead_letters")]

    operations = [
        migrations.AddField(
            "attempt", "pages_read", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="pages read")
        ),
        migrations.AddField(
            "attempt", "pages_wanted", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="pages to read")
        ),
    ]
