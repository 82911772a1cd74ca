import { useSyncExternalStore } from 'react';

export interface Toast {
  id: number;
  text: string;
  tone: 'good' | 'bad';
  link?: { href: string; text: string };
}

const SHOWN_MS = 6_000;
let toasts: Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function set(next: Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export function dismiss(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

export function toast(text: string, tone: Toast['tone'] = 'good', link?: Toast['link']): void {
  last += 1;
  const id = last;
  set([...toasts.slice(-3), { id, text, tone, link }]);
  setTimeout(() => dismiss(id), SHOWN_MS);
}

export function useToasts(): Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
}
