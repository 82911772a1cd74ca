import { backoff, connection } from '../api/connection';
import { usePreferences } from '../lib/preferences';

const BUSY_MS = 2_000;
const CALM_MS = 5_000;
const IDLE_MS = 15_000;
const IDLE_AFTER_MS = 120_000;

const pace = { busy: false, lastInput: Date.now() };

export function setBusy(busy: boolean): void {
  pace.busy = busy;
}

export function noteInput(): void {
  pace.lastInput = Date.now();
}

/** Milliseconds until the next poll: quick while something runs, slower the less there is to see. */
export function delay(misses: number, calm: boolean): number {
  if (misses > 0) return backoff(misses);
  if (Date.now() - pace.lastInput > IDLE_AFTER_MS) return IDLE_MS;
  if (calm) return IDLE_MS;
  return pace.busy ? BUSY_MS : CALM_MS;
}

/** When a query is to be asked anew; it stops by itself while the page is hidden. */
export function useInterval(calm: boolean): () => number | false {
  const { live } = usePreferences();
  return () => (live ? delay(connection.get().misses, calm) : false);
}
