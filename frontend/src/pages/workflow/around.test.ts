import { graph } from '../../testing/samples';
import { around } from './around';

const steps = { lint: [], build: [], deploy: ['lint', 'build'], announce: ['deploy'] };
const names = (nodes: { step: string }[] | undefined) => nodes?.map(({ step }) => step);

test('a step has those it waits for and those that wait for it', () => {
  const found = around(graph(steps), 'deploy');
  expect(names(found?.parents)).toEqual(['lint', 'build']);
  expect(names(found?.children)).toEqual(['announce']);
});

test('a step that is not there has nothing around it', () => {
  expect(around(graph(steps), 'nowhere')).toBeUndefined();
});
