import { useRef } from 'react';
import type { JobRow } from '../../api/client';

interface Steady {
  rows: JobRow[];
  /** Rows that are held back. */
  fresh: number;
  release: () => void;
}

/** While `held` and the `key` stays, no row moves: those shown are brought up to date, new ones wait. */
export function useSteadyRows(latest: JobRow[], held: boolean, key: string): Steady {
  const shown = useRef<{ key: string; rows: JobRow[] }>({ key: '', rows: [] });
  if (!held || shown.current.key !== key || shown.current.rows.length === 0) {
    shown.current = { key, rows: latest };
  } else {
    const byId = new Map(latest.map((row) => [row.id, row]));
    shown.current = { key, rows: shown.current.rows.map((row) => byId.get(row.id) ?? row) };
  }
  const ids = new Set(shown.current.rows.map(({ id }) => id));
  return {
    rows: shown.current.rows,
    fresh: latest.filter(({ id }) => !ids.has(id)).length,
    release: () => {
      shown.current = { key, rows: latest };
    },
  };
}
