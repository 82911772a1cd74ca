import type { Graph, GraphNode } from '../../api/workflows';
import { edgesOf } from './drawing';

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
