import { Graph as Dagre, layout as dagre } from '@dagrejs/dagre';
import type { Drawing } from './drawing';

export type Direction = 'LR' | 'TB';

export interface Place {
  x: number;
  y: number;
}

export interface Layout {
  width: number;
  height: number;
  /** The upper left corner of each box. */
  places: Map<string, Place>;
  /** For each edge its keys and the path that is drawn. */
  edges: { key: string; from: string; to: string; path: string }[];
}

export const BOX = { width: 196, height: 58 };
const MARGIN = 20;
/** Beyond this the better of dagre's ways to rank takes seconds. */
const MANY_EDGES = 250;

function curve(points: readonly Place[], direction: Direction): string {
  const [first, ...rest] = points;
  if (!first) return '';
  let path = `M${first.x} ${first.y}`;
  let last = first;
  for (const point of rest) {
    const middle =
      direction === 'LR'
        ? `${(last.x + point.x) / 2} ${last.y} ${(last.x + point.x) / 2} ${point.y}`
        : `${last.x} ${(last.y + point.y) / 2} ${point.x} ${(last.y + point.y) / 2}`;
    path += `C${middle} ${point.x} ${point.y}`;
    last = point;
  }
  return path;
}

/** From the side of one box to the side of the other, through the bends between them. */
function ends(from: Place, to: Place, direction: Direction): [Place, Place] {
  const { width, height } = BOX;
  return direction === 'LR'
    ? [
        { x: from.x + width, y: from.y + height / 2 },
        { x: to.x, y: to.y + height / 2 },
      ]
    : [
        { x: from.x + width / 2, y: from.y + height },
        { x: to.x + width / 2, y: to.y },
      ];
}

/** Where everything goes. Hundreds of boxes take a good part of a second. */
export function layout({ boxes, edges }: Drawing, direction: Direction): Layout {
  const graph = new Dagre();
  const ranker = edges.length > MANY_EDGES ? 'tight-tree' : 'network-simplex';
  graph.setGraph({
    rankdir: direction,
    nodesep: 14,
    ranksep: direction === 'LR' ? 64 : 44,
    marginx: MARGIN,
    marginy: MARGIN,
    ranker,
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { key } of boxes) graph.setNode(key, { ...BOX });
  for (const [from, to] of edges) graph.setEdge(from, to);
  dagre(graph);
  const places = new Map(
    boxes.map(({ key }) => {
      const { x = 0, y = 0 } = graph.node(key) as Partial<Place>;
      return [key, { x: Math.round(x - BOX.width / 2), y: Math.round(y - BOX.height / 2) }];
    }),
  );
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const drawn = edges.map(([from, to]) => {
    const [start, end] = ends(
      places.get(from) ?? { x: 0, y: 0 },
      places.get(to) ?? { x: 0, y: 0 },
      direction,
    );
    const { points = [] } = graph.edge(from, to) as { points?: Place[] };
    const bends = points.length > 3 ? points.slice(1, -1) : [];
    return { key: `${from} ${to}`, from, to, path: curve([start, ...bends, end], direction) };
  });
  return { width, height, places, edges: drawn };
}
