import type { JobStatus } from '../../api/client';
import type { JobQuery } from '../../api/queries';
import { ORDER } from '../../lib/statuses';

export type Ordering = NonNullable<JobQuery['ordering']>;

const FINISHED = new Set<JobStatus>(['succeeded', 'failed', 'cancelled']);
const TEXTS = ['queue', 'task', 'q', 'error_fingerprint'] as const;
const TIMES = ['created_after', 'created_before', 'finished_after', 'finished_before'] as const;

/** The filters one may set one by one, with the word for each. */
export const FILTERS = {
  queue: 'Queue',
  task: 'Task',
  q: 'Text',
  error_fingerprint: 'Error group',
  priority: 'Priority',
  created_after: 'Created from',
  created_before: 'Created before',
  finished_after: 'Finished from',
  finished_before: 'Finished before',
} as const;

export type Filter = keyof typeof FILTERS;

export const ORDERINGS: Record<Ordering, string> = {
  '-id': 'Newest first',
  id: 'Oldest first',
  '-finished_at': 'Finished last',
  finished_at: 'Finished first',
  '-priority': 'Next to be claimed',
  priority: 'Last to be claimed',
  available_at: 'Due first',
  '-available_at': 'Due last',
};

/** Some orders exist for some statuses only. */
export function orderingsFor(statuses: readonly JobStatus[]): Ordering[] {
  const all: Ordering[] = ['-id', 'id'];
  const only = (wanted: (status: JobStatus) => boolean) =>
    statuses.length > 0 && statuses.every(wanted);
  if (statuses.length === 0 || only((status) => FINISHED.has(status))) {
    all.push('-finished_at', 'finished_at');
  }
  if (only((status) => status === 'queued')) all.push('-priority', 'priority');
  if (only((status) => status === 'scheduled')) all.push('available_at', '-available_at');
  return all;
}

function isStatus(text: string): text is JobStatus {
  return (ORDER as string[]).includes(text);
}

/** What the address asks for. What it cannot mean is left out. */
export function fromAddress(params: URLSearchParams): JobQuery {
  const query: JobQuery = {};
  const statuses = params.getAll('status').filter(isStatus);
  if (statuses.length) query.status = statuses;
  for (const name of [...TEXTS, ...TIMES]) {
    const text = params.get(name)?.trim();
    if (text) query[name] = text;
  }
  const priority = params.get('priority');
  if (priority && /^-?\d{1,3}$/.test(priority)) query.priority = Number(priority);
  const ordering = params.get('ordering') as Ordering | null;
  if (ordering && orderingsFor(statuses).includes(ordering)) query.ordering = ordering;
  const cursor = params.get('cursor');
  if (cursor) query.cursor = cursor;
  return query;
}

/** The address with some parameters changed; another question begins at its first page. */
export function changed(
  params: URLSearchParams,
  change: Record<string, string | null>,
): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete('cursor');
  for (const [name, value] of Object.entries(change)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  const ordering = next.get('ordering') as Ordering | null;
  if (ordering && !orderingsFor(next.getAll('status').filter(isStatus)).includes(ordering)) {
    next.delete('ordering');
  }
  return next;
}

/** The filters that are set, beside the status. */
export function active(query: JobQuery): [Filter, string][] {
  return (Object.keys(FILTERS) as Filter[])
    .filter((name) => query[name] !== undefined)
    .map((name) => [name, String(query[name])]);
}
