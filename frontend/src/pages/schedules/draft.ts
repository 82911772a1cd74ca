import type { ScheduleDetail, Times } from '../../api/schedules';
import { parseExact, stringifyExact } from '../../lib/exactJson';

/** The form as it was typed. */
export interface Draft {
  name: string;
  task: string;
  payload: string;
  by: 'cron' | 'interval';
  cron: string;
  interval_seconds: string;
  timezone: string;
  queue: string;
  priority: string;
  missed: string;
  missed_limit: string;
  overlap: string;
}

export const FIELDS = [
  'name',
  'task',
  'payload',
  'cron',
  'interval_seconds',
  'timezone',
  'queue',
  'priority',
  'missed',
  'missed_limit',
  'overlap',
] as const;

export const EMPTY: Draft = {
  name: '',
  task: '',
  payload: '{}',
  by: 'cron',
  cron: '0 3 * * *',
  interval_seconds: '300',
  timezone: '',
  queue: '',
  priority: '',
  missed: 'last',
  missed_limit: '100',
  overlap: 'allow',
};

/** The form of a schedule that there is. */
export function draftOf(schedule: ScheduleDetail): Draft {
  const { interval_seconds: seconds } = schedule;
  return {
    name: schedule.name,
    task: schedule.task,
    payload: stringifyExact(schedule.payload),
    by: seconds === null ? 'cron' : 'interval',
    cron: schedule.cron ?? EMPTY.cron,
    interval_seconds: seconds === null ? EMPTY.interval_seconds : `${seconds}`,
    timezone: schedule.timezone,
    queue: schedule.queue ?? '',
    priority: schedule.priority === null ? '' : `${schedule.priority}`,
    missed: schedule.missed,
    missed_limit: `${schedule.missed_limit}`,
    overlap: schedule.overlap,
  };
}

// What is no number goes out as it is: the server's answer names the field.
function numeric(text: string): number | string {
  return text !== '' && !Number.isNaN(Number(text)) ? Number(text) : text;
}

/** What there is to preview; nothing while the times are empty or no number. */
export function timesOf(draft: Draft): Times {
  const timezone = draft.timezone.trim();
  const zone = timezone ? { timezone } : {};
  if (draft.by === 'cron') return { cron: draft.cron.trim(), ...zone };
  const seconds = draft.interval_seconds.trim();
  return /^\d+$/.test(seconds) ? { interval_seconds: Number(seconds), ...zone } : zone;
}

type Body = { text: string; error?: undefined } | { text?: undefined; error: string };

/** The request's body as JSON text, its numbers as they were typed; or what is wrong with it. */
export function toBody(draft: Draft): Body {
  let payload: unknown;
  try {
    payload = parseExact(draft.payload.trim() || '{}');
  } catch (error) {
    return { error: `is not JSON: ${error instanceof Error ? error.message : error}` };
  }
  const cron = draft.by === 'cron';
  const priority = draft.priority.trim();
  const body = {
    name: draft.name.trim(),
    task: draft.task,
    payload,
    cron: cron ? draft.cron.trim() : null,
    interval_seconds: cron ? null : numeric(draft.interval_seconds.trim()),
    timezone: draft.timezone.trim() || null,
    queue: draft.queue.trim() || null,
    priority: priority === '' ? null : numeric(priority),
    missed: draft.missed,
    missed_limit: numeric(draft.missed_limit.trim()),
    overlap: draft.overlap,
  };
  return { text: stringifyExact(body, 0) };
}
