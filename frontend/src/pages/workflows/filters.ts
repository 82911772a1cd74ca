import type { WorkflowQuery, WorkflowStatus } from '../../api/workflows';

/** In the order in which they are shown. */
export const STATUSES: WorkflowStatus[] = ['running', 'failed', 'succeeded', 'cancelled'];

/** The filters beside the status, with the word for each. */
export const FILTERS = {
  name: 'Name',
  created_after: 'Submitted from',
  created_before: 'Submitted before',
} as const;

export type Filter = keyof typeof FILTERS;

/** What the address asks for. What it cannot mean is left out. */
export function fromAddress(params: URLSearchParams): WorkflowQuery {
  const query: WorkflowQuery = {};
  const status = STATUSES.filter((known) => params.getAll('status').includes(known));
  if (status.length) query.status = status;
  const name = params.get('name')?.trim();
  if (name) query.name = name.slice(0, 255);
  for (const time of ['created_after', 'created_before'] as const) {
    const text = params.get(time);
    if (text && !Number.isNaN(Date.parse(text))) query[time] = text;
  }
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
  return next;
}

export function active(query: WorkflowQuery): [Filter, string][] {
  return (Object.keys(FILTERS) as Filter[])
    .filter((name) => query[name] !== undefined)
    .map((name) => [name, String(query[name])]);
}
