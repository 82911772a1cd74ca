import type { FailureRow, FailureStatus } from '../../api/client';
import { count, plural } from '../../lib/format';
import type { ShownStatus } from '../../lib/statuses';

/** The statuses of a group, in the order of the tabs; `tone` is the name of a status's colour. */
export const GROUP_STATUSES: Record<
  FailureStatus,
  { word: string; tone: ShownStatus; help: string }
> = {
  open: { word: 'Open', tone: 'failed', help: 'Needs a person' },
  ignored: { word: 'Ignored', tone: 'cancelled', help: 'Nobody wants to hear of it' },
  resolved: { word: 'Resolved', tone: 'succeeded', help: 'Opens again when it is seen again' },
};

/** A class by its own name and the module it comes from. */
export function classOf(exception: string): { name: string; module: string } {
  const dot = exception.lastIndexOf('.');
  if (dot < 0 || dot === exception.length - 1) return { name: exception, module: '' };
  return { name: exception.slice(dot + 1), module: exception.slice(0, dot) };
}

/** What a day of hours says, in words. */
export function trend(hours: readonly number[]): string {
  const total = hours.reduce((sum, hour) => sum + hour, 0);
  if (total === 0) return 'not seen in the last 24 hours';
  const most = Math.max(...hours);
  const ago = hours.length - 1 - hours.lastIndexOf(most);
  const when = ago === 0 ? 'this hour' : `${plural(ago, 'hour')} ago`;
  return `${plural(total, 'time')} in the last 24 hours, ${count(most)} of them in the busiest hour, ${when}`;
}

export function lastDay(hours: readonly number[]): number {
  return hours.reduce((sum, hour) => sum + hour, 0);
}

/** The jobs of a group in the list of jobs. */
export function jobsOf({ fingerprint }: { fingerprint: string }, ...statuses: string[]): string {
  const params = new URLSearchParams({ error_fingerprint: fingerprint });
  for (const status of statuses) params.append('status', status);
  return `/jobs?${params}`;
}

export const RETRYING = ['scheduled', 'queued', 'running'];

/** How many jobs belong to it now. */
export function jobsNow({ failed, retrying }: Pick<FailureRow, 'failed' | 'retrying'>) {
  return {
    count: failed.count + retrying.count,
    exact: failed.exact && retrying.exact,
  };
}
