import datetime as dt

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import ExpressionWrapper, F


def give_places(apps, schema_editor):
    """Cases from before there were priorities stand where they stood."""
    Case = apps.get_model("review", "Case")
    fold = ExpressionWrapper(F("opened_at") + dt.timedelta(hours=72), output_field=models.DateTimeField())
    Case.objects.update(priority=F("salvageable"), fold_at=fold)


class Migration(migrations.Migration):

    dependencies = [
        ('ingest', '0008_review_late'),
        ('resumes', '0005_layout_and_locks'),
        ('review', '0002_case_draft'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='BulkJob',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('verb', models.CharField(choices=[('discard', 'Discard'), ('rerun', 'Run again')], max_length=8, verbose_name='what')),
                ('reason', models.CharField(blank=True, max_length=20, verbose_name='reason')),
                ('note', models.CharField(blank=True, max_length=500, verbose_name='note')),
                ('total', models.PositiveIntegerField(default=0, verbose_name='cases')),
                ('done', models.PositiveIntegerField(default=0, verbose_name='done')),
                ('left_alone', models.PositiveIntegerField(default=0, verbose_name='left as they were')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='ended')),
            ],
            options={
                'verbose_name': 'bulk decision',
                'verbose_name_plural': 'bulk decisions',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Note',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=1000, verbose_name='note')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='at')),
            ],
            options={
                'verbose_name': 'note',
                'verbose_name_plural': 'notes',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Team',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, unique=True, verbose_name='name')),
                ('languages', models.JSONField(blank=True, default=list, verbose_name='languages')),
                ('families', models.JSONField(blank=True, default=list, verbose_name='job families')),
            ],
            options={
                'verbose_name': 'team',
                'verbose_name_plural': 'teams',
                'ordering': ['name'],
            },
        ),
        migrations.AlterModelOptions(
            name='case',
            options={'ordering': ['folded', '-priority', 'opened_at'], 'permissions': [('take_over', 'Can take a case over from whoever works on it')], 'verbose_name': 'review case', 'verbose_name_plural': 'review cases'},
        ),
        migrations.RemoveIndex(
            model_name='case',
            name='case_queue',
        ),
        migrations.AddField(
            model_name='case',
            name='batch',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='ingest.batch', verbose_name='batch'),
        ),
        migrations.AddField(
            model_name='case',
            name='escalated_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='escalated'),
        ),
        migrations.AddField(
            model_name='case',
            name='fold_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='folds away'),
        ),
        migrations.AddField(
            model_name='case',
            name='folded',
            field=models.BooleanField(default=False, verbose_name='folded away'),
        ),
        migrations.AddField(
            model_name='case',
            name='priority',
            field=models.FloatField(default=0.0, verbose_name='priority'),
        ),
        migrations.AddField(
            model_name='case',
            name='seconds',
            field=models.FloatField(default=0.0, verbose_name='seconds of work'),
        ),
        migrations.AddField(
            model_name='case',
            name='urgency',
            field=models.JSONField(blank=True, default=dict, verbose_name='urgency'),
        ),
        migrations.AddField(
            model_name='correction',
            name='evidence',
            field=models.JSONField(blank=True, default=dict, verbose_name='evidence'),
        ),
        migrations.AddField(
            model_name='correction',
            name='seconds',
            field=models.FloatField(blank=True, null=True, verbose_name='seconds'),
        ),
        migrations.AddField(
            model_name='bulkjob',
            name='user',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='who'),
        ),
        migrations.AddField(
            model_name='case',
            name='bulk',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='cases', to='review.bulkjob'),
        ),
        migrations.AddField(
            model_name='note',
            name='author',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='author'),
        ),
        migrations.AddField(
            model_name='note',
            name='case',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notes', to='review.case', verbose_name='case'),
        ),
        migrations.AddField(
            model_name='team',
            name='members',
            field=models.ManyToManyField(blank=True, related_name='teams', to=settings.AUTH_USER_MODEL, verbose_name='members'),
        ),
        migrations.AddField(
            model_name='case',
            name='team',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='cases', to='review.team', verbose_name='team'),
        ),
        migrations.AddIndex(
            model_name='case',
            index=models.Index(fields=['state', 'folded', '-priority', 'opened_at'], name='case_in_order'),
        ),
        migrations.AddIndex(
            model_name='case',
            index=models.Index(fields=['-closed_at'], name='case_by_end'),
        ),
        migrations.RunPython(give_places, migrations.RunPython.noop),
    ]
