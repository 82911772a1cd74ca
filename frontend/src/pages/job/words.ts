import type { JobEvent } from '../../api/client';
import { reasonOf } from './timeline';

const WORDS: Partial<Record<JobEvent['kind'], string>> = {
  cancel_requested: 'Cancel requested',
  lease_lost: 'Lease lost',
};

/** What happened, as people read it. */
export function word(kind: JobEvent['kind']): string {
  return WORDS[kind] ?? kind.charAt(0).toUpperCase() + kind.slice(1);
}

function who(event: JobEvent): string {
  const actor = (event.data as { actor?: unknown } | null)?.actor;
  return typeof actor === 'string' && actor ? `by ${actor}` : event.worker;
}

/** Who did it and why; empty when neither is known. */
export function said(event: JobEvent): string {
  return [who(event), reasonOf(event)].filter(Boolean).join(' · ');
}
