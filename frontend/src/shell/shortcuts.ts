import { useEffect, useRef } from 'react';
import { preferences } from '../lib/preferences';

export interface Shortcut {
  keys: string;
  label: string;
  run: () => void;
}

const SEQUENCE_MS = 1_200;
const registered = new Map<string, Shortcut[]>();
let first = '';
let firstAt = 0;

/** The shortcuts of the page as it is, each once. */
export function shortcuts(): Shortcut[] {
  return [...registered.values()].flatMap((stack) => stack.slice(-1));
}

/** While the component is there, `keys` (`r`, or `g j` for one after the other) does `run`. */
export function useShortcut(keys: string, label: string, run: (() => void) | undefined): void {
  const latest = useRef(run);
  latest.current = run;
  const active = run !== undefined;
  useEffect(() => {
    if (!active) return;
    const own: Shortcut = { keys, label, run: () => latest.current?.() };
    registered.set(keys, [...(registered.get(keys) ?? []), own]);
    return () => {
      const rest = (registered.get(keys) ?? []).filter((shortcut) => shortcut !== own);
      if (rest.length) registered.set(keys, rest);
      else registered.delete(keys);
    };
  }, [keys, label, active]);
}

function elsewhere(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  if (!preferences().shortcuts) return true;
  const target = event.target as HTMLElement | null;
  if (target?.closest('input:not([type=checkbox]), textarea, select, [contenteditable]'))
    return true;
  return document.querySelector('dialog[open]') !== null;
}

function onKey(event: KeyboardEvent): void {
  if (elsewhere(event)) return;
  const recent = first && Date.now() - firstAt < SEQUENCE_MS;
  const keys = recent ? `${first} ${event.key}` : event.key;
  first = '';
  const found = registered.get(keys)?.at(-1);
  if (found) {
    event.preventDefault();
    found.run();
  } else if ([...registered.keys()].some((known) => known.startsWith(`${event.key} `))) {
    first = event.key;
    firstAt = Date.now();
  }
}

/** Listens for the keys of all shortcuts. */
export function useShortcutKeys(): void {
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
