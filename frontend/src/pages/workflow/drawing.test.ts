import { graph } from '../../testing/samples';
import { commonName, criticalEdges, drawing, levels, MAX_BOXES } from './drawing';

const none = new Set<string>();

function fan(size: number) {
  const names = Array.from({ length: size }, (_, n) => `load chunk ${n}`);
  const parents: Record<string, string[]> = { split: [] };
  for (const name of names) parents[name] = ['split'];
  return graph({ ...parents, merge: names });
}

test('a graph of up to 300 steps is drawn step by step', () => {
  const { boxes, edges } = drawing(fan(MAX_BOXES - 2), none, false);
  expect(boxes).toHaveLength(MAX_BOXES);
  expect(edges).toHaveLength(2 * (MAX_BOXES - 2));
});

test('in a larger one steps that fan out are one box with one edge each way', () => {
  const { boxes, edges } = drawing(fan(480), none, false);
  expect(boxes.map(({ title, steps }) => [title, steps.length])).toEqual([
    ['split', 1],
    ['load chunk', 480],
    ['merge', 1],
  ]);
  expect(edges).toHaveLength(2);
});

test('a group is opened alone, and everything is drawn when asked for', () => {
  const large = fan(480);
  const group = drawing(large, none, false).boxes[1]?.key ?? '';
  expect(drawing(large, new Set([group]), false).boxes).toHaveLength(482);
  expect(drawing(large, none, true).boxes).toHaveLength(482);
});

test('chains side by side, where no two steps are alike, are grouped by level', () => {
  const parents: Record<string, string[]> = {};
  for (let n = 0; n < 400; n += 1) {
    parents[`read ${n}`] = [];
    parents[`write ${n}`] = [`read ${n}`];
  }
  const { boxes, edges } = drawing(graph(parents), none, false);
  expect(boxes).toHaveLength(2);
  expect(edges).toHaveLength(1);
});

test('the level of a step is its longest way from a root', () => {
  const found = levels(graph({ a: [], b: ['a'], c: ['a', 'b'], d: [] }));
  expect([...found.values()]).toEqual([0, 1, 2, 0]);
});

test('a group is named by what its steps have in common', () => {
  const { nodes } = graph({ 'resize 1': [], 'resize 2': [] });
  expect(commonName(nodes)).toBe('resize');
  expect(commonName(graph({ one: [], two: [] }).nodes)).toBe('demo.add');
});

test('only edges that the critical path goes along are marked', () => {
  const shape = graph({ a: [], b: ['a'], c: ['a', 'b'] });
  const marked = criticalEdges([1, 2, 3], drawing(shape, none, false));
  expect([...marked]).toEqual(['1 2', '2 3']);
});
