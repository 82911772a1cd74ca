import { renderHook } from '@testing-library/react';
import { row } from '../../testing/samples';
import { useSteadyRows } from './useSteadyRows';

const start = { latest: [row(2), row(1)], held: true, key: 'a' };

function hook() {
  return renderHook((props: typeof start) => useSteadyRows(props.latest, props.held, props.key), {
    initialProps: start,
  });
}

test('rows under the pointer stay where they are, brought up to date', () => {
  const { result, rerender } = hook();
  const latest = [row(3), row(2, { status: 'succeeded' }), row(1)];
  rerender({ ...start, latest });
  expect(result.current.rows.map(({ id, status }) => [id, status])).toEqual([
    [2, 'succeeded'],
    [1, 'queued'],
  ]);
  expect(result.current.fresh).toBe(1);
});

test('new rows come once nothing holds them back, or when asked for', () => {
  const { result, rerender } = hook();
  const latest = [row(3), row(2)];
  rerender({ ...start, latest, held: false });
  expect(result.current.rows.map(({ id }) => id)).toEqual([3, 2]);
  rerender({ ...start, latest: [row(4), row(3)] });
  expect(result.current.rows.map(({ id }) => id)).toEqual([3, 2]);
  result.current.release();
  rerender({ ...start, latest: [row(4), row(3)] });
  expect(result.current.rows.map(({ id }) => id)).toEqual([4, 3]);
});

test('another question shows its own rows at once', () => {
  const { result, rerender } = hook();
  rerender({ ...start, latest: [row(9)], key: 'b' });
  expect(result.current.rows.map(({ id }) => id)).toEqual([9]);
});
