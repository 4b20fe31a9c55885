"""The groups that stand for the roles of `resumes.roles`."""

from django.db import migrations

ROLES = ("recruiter", "reviewer", "operator")


def make_groups(apps, schema_editor):
    groups = apps.get_model("auth", "Group")
    for name in ROLES:
        groups.objects.get_or_create(name=name)


class Migration(migrations.Migration):
    dependencies = [("resumes", "0001_initial"), ("auth", "0012_alter_user_first_name_max_length")]

    operations = [migrations.RunPython(make_groups, migrations.RunPython.noop)]
