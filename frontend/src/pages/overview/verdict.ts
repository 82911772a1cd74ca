import type { Schemas } from '../../api/client';
import type { Schedule } from '../../api/queries';
import { bounded, plural, roughly } from '../../lib/format';

export interface Finding {
  key: string;
  href: string;
  /** What the link says. */
  what: string;
  /** The rest of the sentence. */
  about: string;
  urgent: boolean;
}

/** A job that has been due for longer waits conspicuously long. */
const LONG_WAIT_SECONDS = 60;
const MAX_PER_KIND = 3;

type Queue = Schemas['QForgeQueue'];
type Worker = Schemas['QForgeWorker'];

function waits(queue: Queue): string {
  const age = queue.oldest_queued_seconds;
  const jobs = queue.jobs.queued;
  const number = `${bounded(jobs)} ${jobs.count === 1 ? 'job' : 'jobs'}`;
  return `${number} waiting${age === null ? '' : `, the oldest for ${roughly(age)}`}`;
}

function ofQueue(queue: Queue, live: Worker[]): Finding | undefined {
  if (queue.jobs.queued.count === 0) return undefined;
  const href = `/queues#${encodeURIComponent(queue.name)}`;
  const base = { key: `queue ${queue.name}`, href, what: queue.name };
  if (queue.paused_at) {
    const by = queue.paused_by ? ` by ${queue.paused_by}` : '';
    const why = queue.pause_reason ? ` (“${queue.pause_reason}”)` : '';
    return { ...base, about: `is paused${by}${why} with ${waits(queue)}`, urgent: false };
  }
  const served = live.some(({ queues }) => queues.length === 0 || queues.includes(queue.name));
  if (!served) return { ...base, about: `has no live worker and ${waits(queue)}`, urgent: true };
  if ((queue.oldest_queued_seconds ?? 0) < LONG_WAIT_SECONDS) return undefined;
  return { ...base, about: `is behind: ${waits(queue)}`, urgent: false };
}

function few(findings: Finding[], rest: (left: number) => Finding): Finding[] {
  if (findings.length <= MAX_PER_KIND) return findings;
  return [...findings.slice(0, MAX_PER_KIND), rest(findings.length - MAX_PER_KIND)];
}

/** A schedule that has not fired so long after its time is late. */
const LATE_MS = 60_000;

function ofSchedules(schedules: Schedule[], now: number): Finding[] {
  return schedules.flatMap(({ id, name, enabled, disabled_reason, next_run_at }) => {
    const base = { key: `schedule ${id}`, href: '/schedules', what: name, urgent: false };
    if (!enabled) {
      return disabled_reason ? [{ ...base, about: `is switched off: ${disabled_reason}` }] : [];
    }
    const late = next_run_at === null ? 0 : now - Date.parse(next_run_at);
    if (late < LATE_MS) return [];
    return [{ ...base, about: `should have run ${roughly(late / 1000)} ago`, urgent: true }];
  });
}

function ofWorkers(workers: Worker[]): Finding[] {
  const found: Finding[] = [];
  const live = workers.filter((worker) => !worker.lost);
  const lost = workers.length - live.length;
  if (lost > 0) {
    found.push({
      key: 'lost',
      href: '/workers',
      what: plural(lost, 'worker'),
      about: 'stopped responding; their jobs are rescued and tried again',
      urgent: false,
    });
  }
  const versions = [...new Set(live.map(({ version }) => version))].sort();
  if (versions.length > 1) {
    found.push({
      key: 'versions',
      href: '/workers',
      what: 'Workers',
      about: `run different versions: ${versions.join(', ')}`,
      urgent: false,
    });
  }
  return found;
}

function ofStats({ finished, stalled }: Schemas['QForgeStats']): Finding[] {
  const found: Finding[] = [];
  const failed = finished.last_hour.failed;
  if (failed.count > 0) {
    found.push({
      key: 'failed',
      href: '/jobs?status=failed&ordering=-finished_at',
      what: `${failed.exact ? '' : 'About '}${plural(failed.count, 'job')}`,
      about: 'failed in the last hour, all attempts spent',
      urgent: true,
    });
  }
  if (stalled.count > 0) {
    found.push({
      key: 'stalled',
      href: '/jobs?status=running',
      what: plural(stalled.count, 'job'),
      about: `${stalled.count === 1 ? 'has' : 'have'} lost a worker and nobody takes over`,
      urgent: true,
    });
  }
  return found;
}

interface Seen {
  stats: Schemas['QForgeStats'];
  queues: Queue[];
  workers: Worker[];
  schedules: Schedule[];
  /** The server's clock, in milliseconds. */
  now: number;
}

/** What needs a look, the most urgent first; empty when all is well. */
export function findings({ stats, queues, workers, schedules, now }: Seen): Finding[] {
  const live = workers.filter((worker) => !worker.lost);
  const rest = (of: Finding[], word: string, href: string) => (left: number) => ({
    key: `more ${word}s`,
    href,
    what: plural(left, `more ${word}`),
    about: left === 1 ? 'needs a look' : 'need a look',
    urgent: of.slice(MAX_PER_KIND).some(({ urgent }) => urgent),
  });
  const behind = queues.flatMap((queue) => ofQueue(queue, live) ?? []);
  const late = ofSchedules(schedules, now);
  const found = [
    ...ofStats(stats),
    ...few(behind, rest(behind, 'queue', '/queues')),
    ...few(late, rest(late, 'schedule', '/schedules')),
    ...ofWorkers(workers),
  ];
  return found.sort((a, b) => Number(b.urgent) - Number(a.urgent));
}
