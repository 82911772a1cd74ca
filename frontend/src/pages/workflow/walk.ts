import type { Direction, Layout } from './layout';

export type Step = 'parent' | 'child' | 'before' | 'after';

const KEYS: Record<Direction, Record<string, Step>> = {
  LR: { ArrowLeft: 'parent', ArrowRight: 'child', ArrowUp: 'before', ArrowDown: 'after' },
  TB: { ArrowUp: 'parent', ArrowDown: 'child', ArrowLeft: 'before', ArrowRight: 'after' },
};

/** What an arrow key means in a graph that runs this way. */
export function stepOf(key: string, direction: Direction): Step | undefined {
  return KEYS[direction][key];
}

/** The box to go to from `from`: the nearest parent or child, or the next one of the same rank. */
export function neighbour(
  layout: Layout,
  from: string,
  step: Step,
  direction: Direction,
): string | undefined {
  const here = layout.places.get(from);
  if (!here) return undefined;
  const along = direction === 'LR' ? 'x' : 'y';
  const across = direction === 'LR' ? 'y' : 'x';
  const distance = (key: string) =>
    Math.abs((layout.places.get(key)?.[across] ?? 0) - here[across]);
  if (step === 'parent' || step === 'child') {
    const found = layout.edges
      .filter((edge) => (step === 'parent' ? edge.to : edge.from) === from)
      .map((edge) => (step === 'parent' ? edge.from : edge.to));
    return found.sort((a, b) => distance(a) - distance(b))[0];
  }
  const sign = step === 'after' ? 1 : -1;
  return [...layout.places]
    .filter(
      ([, place]) => place[along] === here[along] && (place[across] - here[across]) * sign > 0,
    )
    .map(([key]) => key)
    .sort((a, b) => distance(a) - distance(b))[0];
}
