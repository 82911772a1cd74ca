import { useSyncExternalStore } from 'react';
import { serverNow } from '../api/connection';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let tick = 0;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    if (document.hidden) return;
    tick += 1;
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The server's clock in milliseconds; renders anew every second. */
export function useNow(): number {
  useSyncExternalStore(subscribe, () => tick);
  return serverNow();
}
