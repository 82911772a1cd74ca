import { backoff } from '../api/connection';

const CALM_MS = 5_000;
const IDLE_MS = 15_000;
const IDLE_AFTER_MS = 120_000;
const JITTER = 0.25;

let lastInput = Date.now();

export function noteInput(): void {
  lastInput = Date.now();
}

export function msSinceInput(): number {
  return Date.now() - lastInput;
}

/** Nobody has touched the page for so long that rare updates do. */
export function isIdle(): boolean {
  return msSinceInput() > IDLE_AFTER_MS;
}

/** Milliseconds until the next poll, when the server wants `wanted` between two of them. */
export function pause(wanted: number): number {
  return isIdle() ? Math.max(wanted, IDLE_MS) : wanted;
}

/** Milliseconds until the next try after outages, spread out so that not all pages come at once. */
export function patience(misses: number, retryAfterMs = 0): number {
  const wait = backoff(Math.max(misses, 1));
  return Math.max(wait * (1 - JITTER * Math.random()), retryAfterMs);
}

/** Milliseconds between two readings of what the server does not tell about. */
export function interval(misses: number, calm: boolean): number {
  if (misses > 0) return patience(misses);
  return pause(calm ? IDLE_MS : CALM_MS);
}
