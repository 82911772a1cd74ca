import type { Graph, GraphNode } from '../../api/workflows';

/** What is drawn as one box: a step, or a group of steps that stand for one another. */
export interface Box {
  /** The job's id, or that of a group. */
  key: string;
  steps: GraphNode[];
  /** Of a group: what its steps are called. */
  title: string;
}

export interface Drawing {
  boxes: Box[];
  /** Keys of parent and child. */
  edges: [string, string][];
}

/** Most boxes that are drawn without being asked to. */
export const MAX_BOXES = 300;
const SMALLEST_GROUP = 3;

/** The number of edges from a root, by the longest way. */
export function levels(graph: Graph): Map<number, number> {
  const level = new Map(graph.nodes.map(({ job }) => [job, 0]));
  const waiting = new Map(graph.nodes.map(({ job }) => [job, 0]));
  const children = new Map<number, number[]>();
  for (const [parent, child] of edgesOf(graph)) {
    children.set(parent, [...(children.get(parent) ?? []), child]);
    waiting.set(child, (waiting.get(child) ?? 0) + 1);
  }
  const ready = graph.nodes.map(({ job }) => job).filter((job) => !waiting.get(job));
  for (const job of ready) {
    for (const child of children.get(job) ?? []) {
      level.set(child, Math.max(level.get(child) ?? 0, (level.get(job) ?? 0) + 1));
      const left = (waiting.get(child) ?? 0) - 1;
      waiting.set(child, left);
      if (left === 0) ready.push(child);
    }
  }
  return level;
}

export function edgesOf(graph: Graph): [number, number][] {
  return graph.edges as [number, number][];
}

/** Steps with the same parents, children and task: one fans out to them and they come together. */
function siblings(graph: Graph): (node: GraphNode) => string {
  const around = new Map<number, { above: number[]; below: number[] }>(
    graph.nodes.map(({ job }) => [job, { above: [], below: [] }]),
  );
  for (const [parent, child] of edgesOf(graph)) {
    around.get(parent)?.below.push(child);
    around.get(child)?.above.push(parent);
  }
  return ({ job, task }) => {
    const { above = [], below = [] } = around.get(job) ?? {};
    return `${task}|${above.sort()}|${below.sort()}`;
  };
}

function grouped(nodes: GraphNode[], of: (node: GraphNode) => string): GraphNode[][] {
  const found = new Map<string, GraphNode[]>();
  for (const node of nodes) {
    const key = of(node);
    const group = found.get(key);
    if (group) group.push(node);
    else found.set(key, [node]);
  }
  return [...found.values()].flatMap((group) =>
    group.length < SMALLEST_GROUP ? group.map((node) => [node]) : [group],
  );
}

/** What the names of steps have in common: their beginning, or else their task. */
export function commonName(nodes: GraphNode[]): string {
  const [first, ...rest] = nodes.map(({ step }) => step);
  let common = first ?? '';
  for (const name of rest) {
    while (common && !name.startsWith(common)) common = common.slice(0, -1);
  }
  const words = common.replace(/[\s\d_.:#-]+$/, '');
  if (words.length >= 2) return words;
  const tasks = new Set(nodes.map(({ task }) => task));
  return tasks.size === 1 ? (nodes[0]?.task ?? '') : `${tasks.size} tasks`;
}

function asBox(nodes: GraphNode[]): Box {
  const [first] = nodes;
  const key = nodes.length === 1 ? `${first?.job}` : `group ${first?.job}`;
  return { key, steps: nodes, title: nodes.length === 1 ? (first?.step ?? '') : commonName(nodes) };
}

/** The groups of a graph that is too large to be drawn step by step: fan-outs, else whole levels. */
function collapsed(graph: Graph): GraphNode[][] {
  const fans = grouped(graph.nodes, siblings(graph));
  if (fans.length <= MAX_BOXES) return fans;
  const level = levels(graph);
  const byTask = grouped(graph.nodes, ({ job, task }) => `${level.get(job)}|${task}`);
  if (byTask.length <= MAX_BOXES) return byTask;
  return grouped(graph.nodes, ({ job }) => `${level.get(job)}`);
}

/** The boxes to draw. Groups whose key is in `open` are shown step by step; `all` shows every step. */
export function drawing(graph: Graph, open: ReadonlySet<string>, all: boolean): Drawing {
  const whole = all || graph.nodes.length <= MAX_BOXES;
  const groups = whole ? graph.nodes.map((node) => [node]) : collapsed(graph);
  const boxes = groups.flatMap((group) => {
    const box = asBox(group);
    return open.has(box.key) ? group.map((node) => asBox([node])) : [box];
  });
  const boxOf = new Map(boxes.flatMap(({ key, steps }) => steps.map(({ job }) => [job, key])));
  const edges = new Map<string, [string, string]>();
  for (const [parent, child] of edgesOf(graph)) {
    const from = boxOf.get(parent);
    const to = boxOf.get(child);
    if (from && to && from !== to) edges.set(`${from} ${to}`, [from, to]);
  }
  return { boxes, edges: [...edges.values()] };
}

/** The edges of the drawing that the critical path goes along, as `from to`. */
export function criticalEdges(path: readonly number[], { boxes }: Drawing): Set<string> {
  const boxOf = new Map(boxes.flatMap(({ key, steps }) => steps.map(({ job }) => [job, key])));
  return new Set(path.slice(1).map((job, n) => `${boxOf.get(path[n] ?? 0)} ${boxOf.get(job)}`));
}
