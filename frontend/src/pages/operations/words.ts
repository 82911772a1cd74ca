import type { BulkAction } from '../../api/actions';
import type { Operation } from '../../api/queries';
import { between, count, plural } from '../../lib/format';
import type { ShownStatus } from '../../lib/statuses';

export const VERBS: Record<BulkAction, string> = {
  retry: 'Retry',
  cancel: 'Cancel',
  'run-now': 'Run now',
  delete: 'Delete',
};

/** The word for each status, and the status of jobs whose colour and icon it has. */
export const LOOKS: Record<Operation['status'], { word: string; tone: ShownStatus }> = {
  pending: { word: 'Waiting', tone: 'scheduled' },
  running: { word: 'Running', tone: 'running' },
  succeeded: { word: 'Finished', tone: 'succeeded' },
  cancelled: { word: 'Cancelled', tone: 'cancelled' },
  failed: { word: 'Failed', tone: 'failed' },
};

const WORDS: Record<string, string> = {
  status: 'status',
  q: 'text',
  created_after: 'created from',
  created_before: 'created before',
  finished_after: 'finished from',
  finished_before: 'finished before',
  error_fingerprint: 'error group',
};

/** What an operation is for, in words. */
export function target({ filter, named }: Operation): string {
  if (named !== null) return `${plural(named, 'chosen job')}`;
  const set = Object.entries(filter ?? {});
  if (set.length === 0) return 'all jobs';
  const said = set.map(
    ([name, value]) =>
      `${WORDS[name] ?? name} ${Array.isArray(value) ? value.join(' or ') : value}`,
  );
  return `jobs with ${said.join(', ')}`;
}

/** Where the jobs of its filter are listed now. */
export function listed({ filter }: Operation): string | undefined {
  if (!filter) return undefined;
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) {
    for (const one of Array.isArray(value) ? value : [value]) params.append(name, String(one));
  }
  return `/jobs?${params}`;
}

export function handled({ done, skipped, failed }: Operation): number {
  return done + skipped + failed;
}

/** Of those that matched, how many it neither did nor refused: they changed or came too late. */
export function leftAlone(operation: Operation): number {
  if (operation.finished_at === null || operation.matched === null) return 0;
  if (operation.status !== 'succeeded') return 0;
  return Math.max(operation.matched - handled(operation) - operation.also_changed, 0);
}

/** 0 to 1; undefined while it is not known how much there is. */
export function share(operation: Operation): number | undefined {
  if (operation.status === 'succeeded') return 1;
  if (operation.matched === null) return undefined;
  return operation.matched ? Math.min(handled(operation) / operation.matched, 1) : 0;
}

/** Jobs a second, and the seconds that are left at this pace; undefined before either is known. */
export function pace(
  operation: Operation,
  now: number,
): { perSecond: number; left: number } | undefined {
  if (operation.status !== 'running' || operation.matched === null) return undefined;
  const seconds = between(operation.started_at, now) ?? 0;
  const perSecond = seconds > 1 ? handled(operation) / seconds : 0;
  if (perSecond <= 0) return undefined;
  return { perSecond, left: Math.max(operation.matched - handled(operation), 0) / perSecond };
}

/** `412 of 5,000 jobs`. */
export function progress(operation: Operation): string {
  const { matched } = operation;
  if (matched === null) return 'not begun';
  if (operation.finished_at !== null) return `${count(operation.done)} done`;
  return `${count(handled(operation))} of ${count(matched)}`;
}

/** `4,988 done, 12 skipped`. */
export function outcome({ done, skipped, failed }: Operation): string {
  const parts = [`${count(done)} done`];
  if (skipped) parts.push(`${count(skipped)} skipped`);
  if (failed) parts.push(`${count(failed)} failed`);
  return parts.join(', ');
}
