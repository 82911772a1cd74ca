import type { components } from './schema';

export type ProblemBody = components['schemas']['QForgeProblem'];

/** An answer of the API that is not a success, or no answer at all (`status` 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly body: ProblemBody,
    /** How long the server asks to be left alone, in milliseconds. */
    readonly retryAfterMs = 0,
  ) {
    super(body.detail || body.title);
    this.name = 'ApiError';
  }

  get code(): string {
    return this.body.code;
  }

  /** What is wrong with a field, and with the fields inside it. */
  field(name: string): string | undefined {
    const own = this.body.errors?.find(
      ({ field }) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`),
    );
    if (!own) return undefined;
    return own.field === name ? own.detail : `${own.field}: ${own.detail}`;
  }
}

export function unreachable(): ApiError {
  return new ApiError(0, {
    type: 'about:blank',
    title: 'No answer',
    status: 0,
    code: 'unreachable',
    detail: 'The server did not answer.',
  });
}

/** Whether waiting may help: no answer, or one that says "not now". */
export function isOutage(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}
