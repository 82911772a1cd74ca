import type { Graph, GraphNode } from '../../api/workflows';
import { between, plural, roughly } from '../../lib/format';
import { STATUSES, shownStatus } from '../../lib/statuses';
import { edgesOf } from './drawing';

const ENDED = new Set(['succeeded', 'failed', 'cancelled']);
const NAMED = 4;

export interface Around {
  node: GraphNode;
  parents: GraphNode[];
  children: GraphNode[];
}

/** A step with those just above and below it. */
export function around(graph: Graph, step: string): Around | undefined {
  const node = graph.nodes.find((known) => known.step === step);
  if (!node) return undefined;
  const byId = new Map(graph.nodes.map((known) => [known.job, known]));
  const pick = (ids: number[]) => ids.flatMap((id) => byId.get(id) ?? []);
  const edges = edgesOf(graph);
  return {
    node,
    parents: pick(edges.filter(([, child]) => child === node.job).map(([parent]) => parent)),
    children: pick(edges.filter(([parent]) => parent === node.job).map(([, child]) => child)),
  };
}

function told(parent: GraphNode, now: number): string {
  const { word } = STATUSES[shownStatus(parent)];
  const since = parent.status === 'running' ? between(parent.started_at, now) : null;
  return `${parent.step} (${word.toLowerCase()}${since === null ? '' : ` for ${roughly(since)}`})`;
}

/** What a blocked step waits for; empty for any other. */
export function waitsFor({ node, parents }: Around, now: number): string {
  if (node.status !== 'blocked') return '';
  const open = parents.filter(({ status }) => !ENDED.has(status));
  const names = open.slice(0, NAMED).map((parent) => told(parent, now));
  const more = node.waits_for - names.length;
  const list = [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const all = Math.max(parents.length, node.waits_for);
  return `It waits for ${node.waits_for} of ${plural(all, 'step')}: ${list}.`;
}
