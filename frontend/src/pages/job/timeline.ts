import type { JobEvent } from '../../api/client';
import type { ShownStatus } from '../../lib/statuses';

/** A stretch of a job's life in one status. */
export interface Span {
  key: number;
  status: ShownStatus;
  attempt: number;
  worker: string;
  from: number;
  /** Null: it goes on. */
  to: number | null;
  /** How a run ended: the kind of the event that ended it. */
  outcome: JobEvent['kind'] | null;
  note: string;
}

const FINAL = new Set(['succeeded', 'failed', 'cancelled']);

/** The last text that says why something happened. */
export function reasonOf(event: JobEvent): string {
  const data = (event.data ?? {}) as Record<string, unknown>;
  const error = data.error as { type?: string; message?: string } | undefined;
  if (error?.type) return error.message ? `${error.type}: ${error.message}` : error.type;
  if (typeof data.reason === 'string' && data.reason) return data.reason;
  return error?.message ?? '';
}

function shown(event: JobEvent): ShownStatus {
  return event.to_status === 'scheduled' && event.attempt > 0 && event.kind !== 'released'
    ? 'retrying'
    : event.to_status;
}

/** The spans between the events that changed the status, the oldest first. */
export function spans(events: JobEvent[]): Span[] {
  const changes = events
    .filter((event) => event.from_status !== event.to_status || event.kind === 'retried')
    .sort((a, b) => a.id - b.id);
  return changes.flatMap((event, index) => {
    if (FINAL.has(event.to_status)) return [];
    const end = changes[index + 1];
    const from = Date.parse(event.at);
    const running = event.to_status === 'running';
    return [
      {
        key: event.id,
        status: shown(event),
        attempt: event.attempt,
        worker: running ? event.worker : '',
        from,
        to: end ? Math.max(Date.parse(end.at), from) : null,
        outcome: running ? (end?.kind ?? null) : null,
        note: running && end ? reasonOf(end) : '',
      },
    ];
  });
}
