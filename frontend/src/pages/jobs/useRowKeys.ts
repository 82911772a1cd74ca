import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useShortcut } from '../../shell/shortcuts';

interface Options {
  /** `x` on the row it stopped at, with shift from the last one on. */
  onSelect?: (row: number, range: boolean) => void;
}

/** `j` and `k` move through the rows of a table, `o` (or Enter, on its link) opens the one they stopped at. */
export function useRowKeys(addresses: string[], { onSelect }: Options = {}) {
  const [chosenAddress, setChosen] = useState<string | null>(null);
  const [, navigate] = useLocation();
  const bodyRef = useRef<HTMLTableSectionElement>(null);
  const found = chosenAddress === null ? -1 : addresses.indexOf(chosenAddress);
  const chosen = found < 0 ? null : found;
  const move = (step: number) => {
    const next = chosen === null ? 0 : Math.min(Math.max(chosen + step, 0), addresses.length - 1);
    setChosen(addresses[next] ?? null);
    const row = bodyRef.current?.rows[next];
    row?.querySelector('a')?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'nearest' });
  };
  useShortcut('j', 'Next row', () => move(1));
  useShortcut('k', 'Previous row', () => move(-1));
  useShortcut(
    'o',
    'Open the row',
    chosen === null ? undefined : () => navigate(addresses[chosen] ?? '/jobs'),
  );
  const select = (range: boolean) =>
    onSelect && chosen !== null ? () => onSelect(chosen, range) : undefined;
  useShortcut('x', 'Select the row', select(false));
  useShortcut('X', 'Select up to the row', select(true));
  return { chosen, bodyRef };
}
