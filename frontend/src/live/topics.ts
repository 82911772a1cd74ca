import type { Schemas } from '../api/client';

export type LiveMessage = Schemas['QForgeLive'];

/** What a query can be told about. `jobs` and `workflows` mean any of them. */
export type Topic =
  | 'stats'
  | 'jobs'
  | 'workflows'
  | 'queues'
  | 'workers'
  | 'schedules'
  | 'failures'
  | `job:${number}`
  | `workflow:${number}`;

/** Touched topics; `*` says that anything may have changed. */
export type Touched = Set<Topic | '*'>;

const FLAGS = ['queues', 'workers', 'schedules', 'failures'] as const;

export function touchedBy({ changed, overflow }: LiveMessage): Touched {
  if (overflow) return new Set(['*']);
  const touched: Touched = new Set(FLAGS.filter((flag) => changed[flag]));
  for (const id of changed.jobs) touched.add(`job:${id}`);
  for (const id of changed.workflows) touched.add(`workflow:${id}`);
  if (changed.jobs.length) touched.add('jobs');
  if (changed.workflows.length) touched.add('workflows');
  return touched;
}

/** Whether a query that watches `on` shows something touched. */
export function concerns(on: readonly Topic[], touched: Touched): boolean {
  return on.length > 0 && (touched.has('*') || on.some((topic) => touched.has(topic)));
}
