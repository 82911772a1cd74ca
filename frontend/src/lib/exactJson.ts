/** A number that JavaScript's own numbers cannot hold, kept as it was written. */
export class ExactNumber {
  constructor(readonly text: string) {}
  toString(): string {
    return this.text;
  }
}

const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function isExact(token: string): boolean {
  // Whole numbers up to 15 digits are always exact; most tokens end here.
  if (token.length <= 15 && !/[.eE]/.test(token)) return true;
  const value = Number(token);
  if (/^-?\d+$/.test(token)) return Number.isSafeInteger(value);
  return Number.isFinite(value) && token.replace(/\D/g, '').length <= 17;
}

/** Parses JSON, keeping numbers that would be rounded as `ExactNumber`. */
export function parseExact(text: string): unknown {
  const mark = `\u0000${crypto.randomUUID()}:`;
  let inexact = false;
  const marked = text.replace(TOKENS, (token) => {
    if (token.startsWith('"') || isExact(token)) return token;
    inexact = true;
    return JSON.stringify(mark + token);
  });
  if (!inexact) return JSON.parse(text);
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark)
      ? new ExactNumber(value.slice(mark.length))
      : value,
  );
}

/** JSON text of a value from `parseExact`, its numbers as they were written. */
export function stringifyExact(value: unknown, indent = 2, level = 0): string {
  if (value instanceof ExactNumber) return value.text;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const inner = `\n${' '.repeat(indent * (level + 1))}`;
  const outer = `\n${' '.repeat(indent * level)}`;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[${inner}${value.map((item) => stringifyExact(item, indent, level + 1)).join(`,${inner}`)}${outer}]`;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return '{}';
  const lines = entries.map(
    ([key, item]) => `${JSON.stringify(key)}: ${stringifyExact(item, indent, level + 1)}`,
  );
  return `{${inner}${lines.join(`,${inner}`)}${outer}}`;
}
