import type { FailureStatus } from '../../api/client';
import type { FailureQuery } from '../../api/queries';
import { GROUP_STATUSES } from './words';

/** The filters one may set beside the status, with the word for each. */
export const FILTERS = { q: 'Exception', task: 'Task', queue: 'Queue' } as const;

export type Filter = keyof typeof FILTERS;
export const NAMES = Object.keys(FILTERS) as Filter[];

/** The status of the tab: open ones unless the address says otherwise; null is all. */
export function tabOf(params: URLSearchParams): FailureStatus | null {
  const status = params.get('status');
  if (status === 'all') return null;
  return status && status in GROUP_STATUSES ? (status as FailureStatus) : 'open';
}

/** What the address asks for. What it cannot mean is left out. */
export function fromAddress(params: URLSearchParams): FailureQuery {
  const query: FailureQuery = {};
  const tab = tabOf(params);
  if (tab) query.status = [tab];
  for (const name of NAMES) {
    const text = params.get(name)?.trim();
    if (text) query[name] = text;
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
