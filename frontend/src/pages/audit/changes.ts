import { stringifyExact } from '../../lib/exactJson';

export interface Change {
  name: string;
  before: string | undefined;
  after: string | undefined;
}

type State = Record<string, unknown> | null;

const EMPTY = new Set(['""', 'null', 'undefined']);

function text(state: State, name: string): string | undefined {
  if (!state || !(name in state)) return undefined;
  const value = state[name];
  const shown = typeof value === 'string' ? value : stringifyExact(value).replace(/\n\s*/g, ' ');
  return EMPTY.has(stringifyExact(value)) ? undefined : shown;
}

/** Which values are different, one by one; those that are empty on both sides say nothing. */
export function changes(before: State, after: State): Change[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .map((name) => ({ name, before: text(before, name), after: text(after, name) }))
    .filter(({ before: old, after: now }) => old !== undefined || now !== undefined);
}
