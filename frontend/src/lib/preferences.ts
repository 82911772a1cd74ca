import { useSyncExternalStore } from 'react';

/** What a viewer chose; kept in this browser. `public/theme.js` reads the theme, too. */
export interface Preferences {
  theme: 'system' | 'light' | 'dark';
  live: boolean;
  shortcuts: boolean;
  times: 'relative' | 'absolute';
}

const KEY = 'qforge.preferences';
const DEFAULTS: Preferences = { theme: 'system', live: true, shortcuts: true, times: 'relative' };
const listeners = new Set<() => void>();
let cached: { text: string | null; value: Preferences } | undefined;

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

let unsaved: string | null = null;

export function preferences(): Preferences {
  const text = stored() ?? unsaved;
  if (!cached || cached.text !== text) {
    let value = DEFAULTS;
    try {
      value = { ...DEFAULTS, ...JSON.parse(text ?? '{}') };
    } catch {
      // Damaged by somebody else; the defaults do.
    }
    cached = { text, value };
  }
  return cached.value;
}

export function prefer(change: Partial<Preferences>): void {
  unsaved = JSON.stringify({ ...preferences(), ...change });
  try {
    localStorage.setItem(KEY, unsaved);
  } catch {
    // Kept for this page only.
  }
  applyTheme();
  for (const listener of listeners) listener();
}

export function applyTheme(): void {
  const { theme } = preferences();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function usePreferences(): Preferences {
  return useSyncExternalStore((listener) => {
    const onStorage = () => {
      applyTheme();
      listener();
    };
    listeners.add(listener);
    window.addEventListener('storage', onStorage);
    return () => {
      listeners.delete(listener);
      window.removeEventListener('storage', onStorage);
    };
  }, preferences);
}
