import { parseExact, stringifyExact } from '../../lib/exactJson';

/** The fields of the form, which are also those of the request. */
export const FIELDS = [
  'task',
  'payload',
  'queue',
  'priority',
  'delay_seconds',
  'max_attempts',
  'idempotency_key',
] as const;

export type Draft = Partial<Record<(typeof FIELDS)[number], string>>;

const NUMBERS = new Set(['priority', 'delay_seconds', 'max_attempts']);

type Body = { text: string; error?: undefined } | { text?: undefined; error: string };

/** The request's body as JSON text, its numbers as they were typed; or what is wrong. */
export function toBody(draft: Draft): Body {
  const body: Record<string, unknown> = {};
  for (const name of FIELDS) {
    const text = draft[name]?.trim();
    if (!text) continue;
    if (name === 'payload') {
      try {
        body.payload = parseExact(text);
      } catch (error) {
        return { error: `is not JSON: ${error instanceof Error ? error.message : error}` };
      }
    } else {
      // What is no number goes out as it is: the server's answer names the field.
      body[name] =
        NUMBERS.has(name) && text !== '' && !Number.isNaN(Number(text)) ? Number(text) : text;
    }
  }
  return { text: stringifyExact(body, 0) };
}
