import { useState } from 'react';
import { useEnqueue } from '../../api/actions';
import { ApiError } from '../../api/problem';
import { useTasks } from '../../api/queries';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import css from '../../ui/dialog.module.css';
import { Field } from '../../ui/Field';
import { Problem } from '../../ui/states';
import { toast } from '../../ui/toasts';
import { type Draft, FIELDS, toBody } from './draft';
import { signature, skeleton } from './signature';

const OPTIONS = [
  ['queue', 'Queue', "The task's own when empty."],
  ['priority', 'Priority', '-100 to 100, higher first.'],
  ['delay_seconds', 'Delay in seconds', 'Not before this time from now.'],
  ['max_attempts', 'Attempts', 'Tries in all.'],
] as const;

interface Props {
  task?: string;
  onClose: () => void;
}

export function EnqueueDrawer({ task = '', onClose }: Props) {
  const tasks = useTasks().data?.results ?? [];
  const enqueue = useEnqueue();
  const [draft, setDraft] = useState<Draft>({ task });
  const [broken, setBroken] = useState<string | undefined>();
  const chosen = tasks.find(({ name }) => name === draft.task);
  const payload = draft.payload ?? (chosen ? skeleton(chosen) : '{}');
  const set = (change: Draft) => setDraft((before) => ({ ...before, ...change }));
  const problem = enqueue.error instanceof ApiError ? enqueue.error : undefined;
  const placed = problem && FIELDS.some((name) => problem.field(name));

  const send = () => {
    const body = toBody({ ...draft, payload });
    setBroken(body.error);
    if (body.error !== undefined) return;
    enqueue.mutate(body.text, {
      onSuccess: (job) => {
        toast('Enqueued as', 'good', { href: `/jobs/${job.id}`, text: `job ${job.id}` });
        onClose();
      },
    });
  };

  return (
    <Dialog title="Enqueue a job" onClose={onClose} drawer>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Field
          label="Task"
          error={problem?.field('task')}
          help={chosen && <span className="mono">({signature(chosen)})</span>}
        >
          {(attributes) => (
            <select
              {...attributes}
              data-first
              value={draft.task ?? ''}
              onChange={(event) =>
                setDraft({ ...draft, task: event.target.value, payload: undefined })
              }
            >
              <option value="">Choose a task…</option>
              {tasks.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </Field>
        <Field
          label="Payload"
          help="A JSON object of keyword arguments."
          error={broken ?? problem?.field('payload')}
        >
          {(attributes) => (
            <textarea
              {...attributes}
              className="mono"
              rows={10}
              spellCheck={false}
              value={payload}
              onChange={(event) => {
                set({ payload: event.target.value });
                setBroken(undefined);
              }}
            />
          )}
        </Field>
        <div className={css.columns}>
          {OPTIONS.map(([name, label, help]) => (
            <Field key={name} label={label} help={help} error={problem?.field(name)}>
              {(attributes) => (
                <input
                  {...attributes}
                  value={draft[name] ?? ''}
                  inputMode={name === 'queue' ? 'text' : 'decimal'}
                  autoComplete="off"
                  onChange={(event) => set({ [name]: event.target.value })}
                />
              )}
            </Field>
          ))}
        </div>
        <Field
          label="Idempotency key"
          help="A second request with it gives the same job."
          error={problem?.field('idempotency_key')}
        >
          {(attributes) => (
            <input
              {...attributes}
              value={draft.idempotency_key ?? ''}
              maxLength={255}
              autoComplete="off"
              onChange={(event) => set({ idempotency_key: event.target.value })}
            />
          )}
        </Field>
        {enqueue.error && !placed && <Problem error={enqueue.error} />}
        <div className={css.buttons}>
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" look="primary" disabled={enqueue.isPending || !draft.task}>
            {enqueue.isPending ? 'Working…' : 'Enqueue'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
