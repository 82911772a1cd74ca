import type { Schemas } from '../../api/client';

type Task = Schemas['QForgeTask'];

/** The parameters of a task as Python has them. */
export function signature(task: Task): string {
  return task.parameters
    .map(({ name, kind, annotation, default_text: preset }) => {
      const stars = { var_positional: '*', var_keyword: '**' }[kind as string] ?? '';
      const typed = annotation ? `: ${annotation}` : '';
      const usual = preset ? `${typed ? ' = ' : '='}${preset}` : '';
      return `${stars}${name}${typed}${usual}`;
    })
    .join(', ');
}

const SAMPLES: Record<string, unknown> = { str: '', int: 0, float: 0, bool: false, list: [] };

/** A payload to begin with: the parameters that must be given, with values of their types. */
export function skeleton(task: Task): string {
  const needed = task.parameters.filter(
    ({ required, kind }) => required && !kind.startsWith('var_'),
  );
  const pairs = needed.map(({ name, annotation }) => {
    const type = annotation.split(/[[ |]/)[0] ?? '';
    return [name, type in SAMPLES ? SAMPLES[type] : type === 'dict' ? {} : null];
  });
  return JSON.stringify(Object.fromEntries(pairs), null, 2);
}
