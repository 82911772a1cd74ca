import type { Run } from '../../api/schedules';

/** The offset from UTC at the end of a local time, as in `+02:00`. */
export function offsetOf(local: string): string {
  return /([+-]\d\d:\d\d)$/.exec(local)?.[1] ?? '+00:00';
}

/** A local time as people read it, its offset apart: `2026-03-29 03:00`. */
export function clockOf(local: string): string {
  return local
    .replace('T', ' ')
    .replace(/([+-]\d\d:\d\d)$/, '')
    .replace(/\.\d+$/, '')
    .replace(/:00$/, '');
}

const WEEKDAYS = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' });

/** The day of the week on the zone's own calendar. */
export function weekdayOf(local: string): string {
  return WEEKDAYS.format(new Date(`${local.slice(0, 10)}T00:00:00Z`));
}

/** For the runs before which the zone's clocks have changed: what changed, by their position. */
export function clockChanges(runs: readonly Run[]): Map<number, string> {
  const found = new Map<number, string>();
  runs.forEach(({ local }, n) => {
    const before = runs[n - 1];
    if (!before) return;
    const [from, to] = [offsetOf(before.local), offsetOf(local)];
    if (from === to) return;
    const forward = minutes(to) > minutes(from);
    found.set(n, `clocks went ${forward ? 'forward' : 'back'}, from UTC${from} to UTC${to}`);
  });
  return found;
}

function minutes(offset: string): number {
  const [hours = 0, rest = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + rest);
}

/** What a schedule does when the clocks change; undefined where that makes no difference. */
export function clockRule(cron: string | undefined, timezone: string): string | undefined {
  if (!cron || timezone === 'UTC') return undefined;
  const [minute, hour] = cron.trim().split(/\s+/);
  if (cron.startsWith('@')) {
    return cron === '@hourly' ? REAL : FIXED;
  }
  if (minute === undefined || hour === undefined) return undefined;
  return minute.startsWith('*') || hour.startsWith('*') ? REAL : FIXED;
}

const FIXED =
  'When clocks go forward, a time that is skipped fires at that moment; when they go back, one that comes twice fires the first time.';
const REAL =
  'When clocks change it keeps to real time: it fires whenever they show a matching time, so a time that is skipped does not fire and one that comes twice fires twice.';
