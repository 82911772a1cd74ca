export const TABS = ['graph', 'gantt', 'steps', 'events'] as const;
export type Tab = (typeof TABS)[number];

/** Where a step is shown: its workflow's page, with the step open. */
export function stepAddress(workflow: number, step: string): string {
  return `/workflows/${workflow}?${new URLSearchParams({ step })}`;
}

export function tabOf(params: URLSearchParams): Tab {
  return TABS.find((tab) => tab === params.get('tab')) ?? 'graph';
}

/** The query with some of it changed; null takes a parameter away. */
export function withParams(params: URLSearchParams, change: Record<string, string | null>): string {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(change)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return `?${next}`;
}
