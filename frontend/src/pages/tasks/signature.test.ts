import type { Schemas } from '../../api/client';
import { signature, skeleton } from './signature';

type Parameter = Schemas['QForgeTaskParameter'];

function parameter(name: string, rest: Partial<Parameter> = {}): Parameter {
  return {
    name,
    kind: 'positional_or_keyword',
    required: true,
    default: null,
    default_text: '',
    annotation: '',
    ...rest,
  };
}

const task: Schemas['QForgeTask'] = {
  name: 'demo.add',
  doc: '',
  queue: 'default',
  priority: 0,
  max_attempts: 3,
  timeout_seconds: null,
  parameters: [
    parameter('to', { annotation: 'str' }),
    parameter('rate', { annotation: 'float', required: false, default_text: '0.5' }),
    parameter('rest', { kind: 'var_keyword', required: false }),
  ],
};

test('a signature reads as Python', () => {
  expect(signature(task)).toBe('to: str, rate: float = 0.5, **rest');
});

test('a payload begins with what must be given', () => {
  expect(JSON.parse(skeleton(task))).toEqual({ to: '' });
});
