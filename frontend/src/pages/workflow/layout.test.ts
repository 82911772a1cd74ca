import { graph } from '../../testing/samples';
import { drawing } from './drawing';
import { BOX, layout } from './layout';
import { topology } from './useLayout';
import { neighbour, stepOf } from './walk';

const diamond = drawing(
  graph({ top: [], left: ['top'], right: ['top'], bottom: ['left', 'right'] }),
  new Set(),
  false,
);

test('children stand to the right of their parents, and no two boxes overlap', () => {
  const { places, edges } = layout(diamond, 'LR');
  for (const { from, to } of edges) {
    expect((places.get(to)?.x ?? 0) - (places.get(from)?.x ?? 0)).toBeGreaterThan(BOX.width);
  }
  const [, left, right] = [...places.values()];
  expect(Math.abs((left?.y ?? 0) - (right?.y ?? 0))).toBeGreaterThanOrEqual(BOX.height);
});

test('drawn downwards, children stand below', () => {
  const { places } = layout(diamond, 'TB');
  expect(places.get('4')?.y).toBeGreaterThan((places.get('1')?.y ?? 0) + BOX.height);
});

test('another status is no other topology, another step is', () => {
  const parents = { a: [], b: ['a'] };
  const key = (rest = {}) => topology(drawing(graph(parents, rest), new Set(), false), 'LR');
  expect(key({ a: { status: 'running' } })).toBe(key());
  const more = drawing(graph({ ...parents, c: ['a'] }), new Set(), false);
  expect(topology(more, 'LR')).not.toBe(key());
});

test('arrow keys lead to children, parents and steps side by side', () => {
  const placed = layout(diamond, 'LR');
  const go = (from: string, key: string) =>
    neighbour(placed, from, stepOf(key, 'LR') ?? 'child', 'LR');
  const below = go('1', 'ArrowRight') ?? '';
  expect(['2', '3']).toContain(below);
  expect(go(below, 'ArrowLeft')).toBe('1');
  expect(go(below, 'ArrowRight')).toBe('4');
  const [upper, lower] = ['2', '3'].sort(
    (a, b) => (placed.places.get(a)?.y ?? 0) - (placed.places.get(b)?.y ?? 0),
  );
  expect(go(upper ?? '', 'ArrowDown')).toBe(lower);
  expect(go(lower ?? '', 'ArrowUp')).toBe(upper);
  expect(go('1', 'ArrowLeft')).toBeUndefined();
});
