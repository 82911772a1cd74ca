import { useEffect, useRef, useState } from 'react';
import type { Drawing } from './drawing';
import { type Direction, type Layout, layout } from './layout';

/** What the layout hangs on: boxes and edges, not their statuses. */
export function topology({ boxes, edges }: Drawing, direction: Direction): string {
  return `${direction}|${boxes.map(({ key }) => key).join()}|${edges.join(';')}`;
}

/**
 * The layout of a drawing, computed after the page was painted, and anew only when boxes or edges
 * change. Undefined at first; later the old one stays until the new one is there.
 */
export function useLayout(drawn: Drawing, direction: Direction): Layout | undefined {
  const [found, setFound] = useState<Layout | undefined>();
  const key = topology(drawn, direction);
  const latest = useRef(drawn);
  latest.current = drawn;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the drawing
  useEffect(() => {
    const timer = setTimeout(() => setFound(layout(latest.current, direction)));
    return () => clearTimeout(timer);
  }, [key, direction]);
  return found;
}
