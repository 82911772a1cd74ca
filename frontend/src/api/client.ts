import createClient, { type Middleware } from 'openapi-fetch';
import { basePath, boot } from '../boot';
import { parseExact } from '../lib/exactJson';
import { connection } from './connection';
import { ApiError, type ProblemBody, unreachable } from './problem';
import type { components, paths } from './schema';

export type Schemas = components['schemas'];
export type JobRow = Schemas['QForgeJobRow'];
export type Job = Schemas['QForgeJob'];
export type FailureRow = Schemas['QForgeFailureRow'];
export type Failure = Schemas['QForgeFailure'];
export type FailureStatus = Schemas['QForgeErrorGroupStatus'];
export type JobStatus = Schemas['QForgeJobStatus'];
export type JobEvent = Schemas['QForgeEvent'];

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
const TIMEOUT_MS = 15_000;

const manners: Middleware = {
  onRequest({ request }) {
    if (!SAFE.has(request.method)) request.headers.set(boot().csrf.header, boot().csrf.token);
  },
};

/** A fetch that gives up in time and notes how the connection does. */
async function watched(request: Request): Promise<Response> {
  try {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await fetch(request, { signal });
    if (response.status >= 500) connection.missed();
    else connection.answered(response.headers.get('Date'));
    return response;
  } catch (error) {
    if (!request.signal.aborted) connection.missed();
    throw error;
  }
}

function makeClient() {
  const client = createClient<paths>({
    baseUrl: basePath(),
    fetch: watched,
    credentials: 'same-origin',
    querySerializer: { array: { style: 'form', explode: true } },
  });
  client.use(manners);
  return client;
}

let made: ReturnType<typeof makeClient> | undefined;

/** The typed client. Ask for `parseAs: 'text'` and hand the answer to `read`. */
export function api(): ReturnType<typeof makeClient> {
  made ??= makeClient();
  return made;
}

interface Answer {
  data?: unknown;
  error?: unknown;
  response: Response;
}

/** The body of an answer, its numbers exact. Throws ApiError for any other answer. */
export async function read<T>(asking: Promise<Answer>): Promise<T> {
  let answer: Answer;
  try {
    answer = await asking;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreachable();
  }
  const { data, error, response } = answer;
  if (response.ok) return (typeof data === 'string' && data ? parseExact(data) : data) as T;
  const problem = asProblem(error, response);
  if (problem.code === 'not-authenticated' || response.status === 401) connection.signedOut();
  throw new ApiError(response.status, problem, retryAfter(response));
}

function retryAfter(response: Response): number {
  const seconds = Number(response.headers.get('Retry-After'));
  return Number.isFinite(seconds) ? Math.max(seconds, 0) * 1000 : 0;
}

function asProblem(error: unknown, response: Response): ProblemBody {
  if (error && typeof error === 'object' && 'code' in error) return error as ProblemBody;
  return {
    type: 'about:blank',
    title: response.statusText || `Status ${response.status}`,
    status: response.status,
    code: 'unexpected-answer',
    detail: `The server answered with status ${response.status}.`,
  };
}

/** The `cursor` of a URL in `next` or `previous`. */
export function cursorOf(url: string | null): string | null {
  return url === null ? null : new URL(url, location.href).searchParams.get('cursor');
}
