from __future__ import annotations

from jobs import client
from jobs.management.loadtest import plan
from jobs.states import JobStatus
from jobs.tasks import FLAKY


def load(jobs: int = 200, seed: int = 1) -> list[plan.PlannedJob]:
    return plan.make(jobs, delayed=0.2, flaky=0.3, seed=seed)


def test_a_seed_gives_the_same_load_again() -> None:
    assert load() == load()
    assert load() != load(seed=2)


def test_the_shares_are_met_exactly() -> None:
    made = load()
    assert [job.number for job in made] == list(range(200))
    assert sum(job.delay_seconds > 0 for job in made) == 40
    assert sum(job.task == FLAKY for job in made) == 60
    assert all((job.failures > 0) == (job.task == FLAKY) for job in made)


def test_a_share_of_the_flaky_jobs_uses_up_its_attempts() -> None:
    flaky = [job for job in load() if job.task == FLAKY]
    dead = [job for job in flaky if job.status is JobStatus.FAILED]
    assert len(dead) == 10
    assert {job.attempts for job in dead} == {3}
    assert {job.attempts for job in flaky if job not in dead} == {2, 3}


def test_no_job_is_too_few_and_none_may_be_plain_or_all() -> None:
    assert len(plan.make(1, delayed=0, flaky=0, seed=1)) == 1
    assert all(job.delay_seconds for job in plan.make(5, delayed=1, flaky=1, seed=1))


def test_every_job_is_one_that_the_queue_accepts() -> None:
    keys = set()
    for job in load():
        document = job.document("run-1", "default")
        keys.add(client.prepare(client.JobSpec(**document)).idempotency_key)
    assert len(keys) == 200
