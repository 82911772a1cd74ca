import { useState } from 'react';
import { ApiError } from '../../api/problem';
import { useTasks } from '../../api/queries';
import { useSaveSchedule, useScheduleDetail } from '../../api/schedules';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import css from '../../ui/dialog.module.css';
import { Field } from '../../ui/Field';
import { Loaded, Problem } from '../../ui/states';
import { toast } from '../../ui/toasts';
import { signature, skeleton } from '../tasks/signature';
import { type Draft, draftOf, EMPTY, FIELDS, timesOf, toBody } from './draft';
import own from './schedules.module.css';
import { TimesPreview } from './TimesPreview';

const MISSED = {
  last: 'one job, for the last of them',
  skip: 'none',
  all: 'a job for each',
};
const OVERLAP = {
  allow: 'gets its job anyway',
  skip: 'gets none',
};
const ZONES = Intl.supportedValuesOf('timeZone');

interface FormProps {
  id?: number;
  first: Draft;
  onClose: () => void;
}

function Form({ id, first, onClose }: FormProps) {
  const tasks = useTasks().data?.results ?? [];
  const save = useSaveSchedule();
  const [draft, setDraft] = useState(first);
  const [broken, setBroken] = useState<string | undefined>();
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const chosen = tasks.find(({ name }) => name === draft.task);
  const problem = save.error instanceof ApiError ? save.error : undefined;
  const placed = problem && FIELDS.some((name) => problem.field(name));
  const text = (name: keyof Draft) => ({
    value: draft[name],
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
  });

  const send = () => {
    const body = toBody(draft);
    setBroken(body.error);
    if (body.error !== undefined) return;
    save.mutate(
      { id, body: body.text },
      {
        onSuccess: ({ name }) => {
          toast(`${name} is ${id === undefined ? 'made' : 'changed'}; it fires from now on`);
          onClose();
        },
      },
    );
  };

  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Field label="Name" help="Letters, digits and _ . : -" error={problem?.field('name')}>
        {(attributes) => <input {...attributes} {...text('name')} data-first maxLength={255} />}
      </Field>
      <Field
        label="Task"
        error={problem?.field('task')}
        help={chosen && <span className="mono">({signature(chosen)})</span>}
      >
        {(attributes) => (
          <select
            {...attributes}
            value={draft.task}
            onChange={({ target }) => {
              const task = tasks.find(({ name }) => name === target.value);
              const untouched = draft.payload === EMPTY.payload || draft.payload === '';
              set({
                task: target.value,
                ...(task && (untouched || id === undefined) ? { payload: skeleton(task) } : {}),
              });
            }}
          >
            <option value="">Choose a task…</option>
            {draft.task && !chosen && <option>{draft.task}</option>}
            {tasks.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </Field>
      <fieldset className={own.times}>
        <legend>Times</legend>
        <div className={own.howMany}>
          {(['cron', 'interval'] as const).map((by) => (
            <label key={by}>
              <input
                type="radio"
                name="by"
                checked={draft.by === by}
                onChange={() => set({ by })}
              />
              <span>{by === 'cron' ? 'Cron expression' : 'Interval'}</span>
            </label>
          ))}
        </div>
        <div className={css.columns}>
          {draft.by === 'cron' ? (
            <Field
              label="Cron expression"
              help="Minute, hour, day of month, month, day of week; or @daily and the like."
              error={problem?.field('cron')}
            >
              {(attributes) => (
                <input
                  {...attributes}
                  {...text('cron')}
                  className="mono"
                  maxLength={255}
                  spellCheck={false}
                />
              )}
            </Field>
          ) : (
            <Field
              label="Seconds between two runs"
              help="Real time, from when it is saved."
              error={problem?.field('interval_seconds')}
            >
              {(attributes) => (
                <input {...attributes} {...text('interval_seconds')} inputMode="numeric" />
              )}
            </Field>
          )}
          <Field
            label="Time zone"
            help="IANA name; the project's when empty."
            error={problem?.field('timezone')}
          >
            {(attributes) => (
              <>
                <input {...attributes} {...text('timezone')} list="qforge-zones" maxLength={64} />
                <datalist id="qforge-zones">
                  {ZONES.map((zone) => (
                    <option key={zone} value={zone} />
                  ))}
                </datalist>
              </>
            )}
          </Field>
        </div>
        <TimesPreview times={timesOf(draft)} />
      </fieldset>
      <Field
        label="Payload"
        help="A JSON object of keyword arguments."
        error={broken ?? problem?.field('payload')}
      >
        {(attributes) => (
          <textarea
            {...attributes}
            {...text('payload')}
            className="mono"
            rows={5}
            spellCheck={false}
          />
        )}
      </Field>
      <div className={css.columns}>
        <Field label="Queue" help="The task's own when empty." error={problem?.field('queue')}>
          {(attributes) => <input {...attributes} {...text('queue')} maxLength={64} />}
        </Field>
        <Field
          label="Priority"
          help="-100 to 100; the task's own when empty."
          error={problem?.field('priority')}
        >
          {(attributes) => <input {...attributes} {...text('priority')} inputMode="numeric" />}
        </Field>
        <Field
          label="Times during a downtime get"
          help={draft.missed === 'skip' ? 'When found over 60 s late.' : undefined}
          error={problem?.field('missed')}
        >
          {(attributes) => (
            <select {...attributes} {...text('missed')}>
              {Object.entries(MISSED).map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Field>
        {draft.missed === 'all' ? (
          <Field
            label="But at most"
            help="Jobs enqueued at once, 1 to 1,000."
            error={problem?.field('missed_limit')}
          >
            {(attributes) => (
              <input {...attributes} {...text('missed_limit')} inputMode="numeric" />
            )}
          </Field>
        ) : (
          <span />
        )}
        <Field label="While the previous job goes on a time" error={problem?.field('overlap')}>
          {(attributes) => (
            <select {...attributes} {...text('overlap')}>
              {Object.entries(OVERLAP).map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      {save.error && !placed && <Problem error={save.error} />}
      <div className={css.buttons}>
        <Button onClick={onClose}>Back</Button>
        <Button
          type="submit"
          look="primary"
          disabled={save.isPending || !draft.task || !draft.name.trim()}
        >
          {save.isPending ? 'Working…' : id === undefined ? 'Make the schedule' : 'Save'}
        </Button>
      </div>
    </form>
  );
}

/** A new schedule, or one that is changed. */
export function ScheduleDrawer({ id, onClose }: { id?: number; onClose: () => void }) {
  const detail = useScheduleDetail(id);
  return (
    <Dialog
      title={id === undefined ? 'New schedule' : `Edit ${detail.data?.name ?? 'the schedule'}`}
      onClose={onClose}
      drawer
    >
      {id === undefined ? (
        <Form first={EMPTY} onClose={onClose} />
      ) : (
        <Loaded of={detail} lines={10}>
          {(schedule) => <Form id={id} first={draftOf(schedule)} onClose={onClose} />}
        </Loaded>
      )}
    </Dialog>
  );
}
