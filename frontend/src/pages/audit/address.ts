import type { AuditQuery } from '../../api/queries';

/** The filters one may set, with the word for each. */
export const FILTERS = { actor: 'Who', action: 'Action', target: 'Target' } as const;

export type Filter = keyof typeof FILTERS;
export const NAMES = Object.keys(FILTERS) as Filter[];

/** What the address asks for. */
export function fromAddress(params: URLSearchParams): AuditQuery {
  const query: AuditQuery = {};
  for (const name of NAMES) {
    const text = params.get(name)?.trim();
    if (text) query[name] = text;
  }
  const cursor = params.get('cursor');
  if (cursor) query.cursor = cursor;
  return query;
}

const PAGES: Record<string, (target: string) => string> = {
  job: (id) => `/jobs/${id}`,
  workflow: (id) => `/workflows/${id}`,
  queue: (name) => `/queues/${encodeURIComponent(name)}`,
  schedule: () => '/schedules',
  failure: (fingerprint) => `/failures/${fingerprint}`,
};

/** The page of what an entry is about, if there is one. */
export function pageOf(action: string, target: string): string | undefined {
  return PAGES[action.split('.')[0] ?? '']?.(target);
}
