import { useState } from 'react';
import type { BulkAction } from '../../api/actions';
import type { JobRow } from '../../api/client';

type Row = Pick<JobRow, 'id' | 'allowed_actions'>;

export interface Selected {
  /** All that match, whatever page they are on. */
  all: boolean;
  /** Otherwise these, also of other pages. */
  rows: ReadonlyMap<number, Row>;
  /** Where a range begins. */
  anchor: number | null;
}

export const NOTHING: Selected = { all: false, rows: new Map(), anchor: null };

/** One row more or less. From all that match, only what is on the page stays. */
export function toggled(selected: Selected, id: number, page: readonly Row[]): Selected {
  const rows = new Map(selected.all ? page.map((row) => [row.id, row]) : selected.rows);
  const row = page.find((one) => one.id === id);
  if (rows.has(id)) rows.delete(id);
  else if (row) rows.set(id, row);
  return { all: false, rows, anchor: id };
}

/** All rows from the anchor to this one, beside those that are selected already. */
export function extended(selected: Selected, id: number, page: readonly Row[]): Selected {
  const to = page.findIndex((row) => row.id === id);
  const from = page.findIndex((row) => row.id === selected.anchor);
  if (to < 0 || from < 0) return toggled(selected, id, page);
  const range = page.slice(Math.min(from, to), Math.max(from, to) + 1);
  const rows = new Map(selected.rows);
  for (const row of range) rows.set(row.id, row);
  return { ...selected, all: false, rows };
}

/** The whole page, or none of it when all of it was selected. */
export function wholePage(selected: Selected, page: readonly Row[]): Selected {
  const rows = new Map(selected.rows);
  const full = selected.all || page.every(({ id }) => rows.has(id));
  for (const row of page) {
    if (full) rows.delete(row.id);
    else rows.set(row.id, row);
  }
  return { all: false, rows, anchor: null };
}

/** For how many of the selected rows an action was allowed when they were seen. */
export function allowing(selected: Selected, action: BulkAction): number {
  return [...selected.rows.values()].filter(({ allowed_actions }) =>
    (allowed_actions as string[]).includes(action),
  ).length;
}

/** What is selected of a list; another question (`key`) begins with nothing. */
export function useSelection(key: string) {
  const [state, setState] = useState({ key, selected: NOTHING });
  const selected = state.key === key ? state.selected : NOTHING;
  const set = (next: Selected) => setState({ key, selected: next });
  return {
    selected,
    any: selected.all || selected.rows.size > 0,
    has: (id: number) => selected.all || selected.rows.has(id),
    toggle: (id: number, range: boolean, page: readonly Row[]) =>
      set((range ? extended : toggled)(selected, id, page)),
    page: (page: readonly Row[]) => set(wholePage(selected, page)),
    everything: () => set({ ...NOTHING, all: true }),
    clear: () => set(NOTHING),
  };
}

export type Selection = ReturnType<typeof useSelection>;
