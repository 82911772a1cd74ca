import { useSyncExternalStore } from 'react';

/** How the talk with the server goes, over all requests. */
export interface Connection {
  /** Outages in a row. */
  misses: number;
  /** Time of the last good answer, by this machine's clock; 0 for never. */
  lastGood: number;
  /** The server's clock minus this machine's, in milliseconds. */
  skew: number;
  /** The session has ended. */
  signedOut: boolean;
}

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 30_000;

/** How long to wait after so many outages in a row, in milliseconds. */
export function backoff(misses: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (misses - 1), LONGEST_WAIT_MS);
}

let lastMiss = 0;
let now: Connection = { misses: 0, lastGood: 0, skew: 0, signedOut: false };
const listeners = new Set<() => void>();

function set(next: Partial<Connection>): void {
  now = { ...now, ...next };
  for (const listener of listeners) listener();
}

export const connection = {
  get: (): Connection => now,
  answered(date: string | null): void {
    const sent = date ? Date.parse(date) : Number.NaN;
    // The header has whole seconds; a smaller difference is no difference.
    const raw = Number.isNaN(sent) ? 0 : sent + 500 - Date.now();
    set({ misses: 0, lastGood: Date.now(), skew: Math.abs(raw) < 1500 ? 0 : raw });
  },
  /** News came over an open stream. */
  heard(): void {
    set({ misses: 0, lastGood: Date.now() });
  },
  missed(): void {
    // The many requests of one round count once: the next round comes after the wait.
    if (now.misses > 0 && Date.now() - lastMiss < backoff(now.misses) * 0.75) return;
    lastMiss = Date.now();
    set({ misses: now.misses + 1 });
  },
  signedOut(): void {
    if (!now.signedOut) set({ signedOut: true });
  },
};

/** The server's idea of now, in milliseconds. */
export function serverNow(): number {
  return Date.now() + now.skew;
}

export function useConnection(): Connection {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => now,
  );
}
