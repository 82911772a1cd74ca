import { SlidersHorizontal } from 'lucide-react';
import { useId, useState } from 'react';
import { type JobQuery, useQueues, useTasks } from '../../api/queries';
import { Button } from '../../ui/Button';
import { Chips } from './Chips';
import { FILTERS, type Filter, ORDERINGS, orderingsFor } from './filters';
import css from './jobs.module.css';

interface Props {
  query: JobQuery;
  onChange: (change: Record<string, string | null>) => void;
}

const TIMES: Filter[] = ['created_after', 'created_before', 'finished_after', 'finished_before'];

/** A moment as `datetime-local` has it, on this machine's clock. */
function toLocal(text: string | undefined): string {
  if (!text || Number.isNaN(Date.parse(text))) return '';
  const moment = new Date(text);
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000)
    .toISOString()
    .slice(0, 16);
}

function Text({ name, query, onChange, list }: Props & { name: Filter; list?: string[] }) {
  const id = useId();
  const value = query[name] === undefined ? '' : String(query[name]);
  return (
    <form
      className={css.field}
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ [name]: String(new FormData(event.currentTarget).get(name)).trim() });
      }}
    >
      <label htmlFor={id}>{FILTERS[name]}</label>
      <input
        key={value}
        id={id}
        name={name}
        list={list && `${id}-list`}
        defaultValue={value}
        placeholder={name === 'q' ? 'in task or error' : 'any'}
        maxLength={255}
        autoComplete="off"
        onBlur={(event) =>
          event.target.value.trim() !== value && onChange({ [name]: event.target.value.trim() })
        }
      />
      {list && (
        <datalist id={`${id}-list`}>
          {list.map((item) => (
            <option key={item} value={item} />
          ))}
        </datalist>
      )}
    </form>
  );
}

function Moment({ name, query, onChange }: Props & { name: Filter }) {
  const id = useId();
  return (
    <div className={css.field}>
      <label htmlFor={id}>{FILTERS[name]}</label>
      <input
        id={id}
        type="datetime-local"
        defaultValue={toLocal(query[name] as string | undefined)}
        onBlur={(event) => {
          const { value } = event.target;
          if (value === toLocal(query[name] as string | undefined)) return;
          onChange({ [name]: value ? new Date(value).toISOString() : null });
        }}
      />
    </div>
  );
}

export function FilterBar({ query, onChange }: Props) {
  const queues = useQueues().data?.results.map(({ name }) => name);
  const tasks = useTasks().data?.results.map(({ name }) => name);
  const [more, setMore] = useState(
    TIMES.some((name) => query[name]) || query.priority !== undefined,
  );
  const id = useId();
  const both = { query, onChange };
  return (
    <div className={css.filters}>
      <div className={css.bar}>
        <Text name="q" {...both} />
        <Text name="task" list={tasks ?? []} {...both} />
        <Text name="queue" list={queues ?? []} {...both} />
        <div className={css.field}>
          <label htmlFor={id}>Order</label>
          <select
            id={id}
            value={query.ordering ?? '-id'}
            onChange={(event) => onChange({ ordering: event.target.value })}
          >
            {orderingsFor(query.status ?? []).map((ordering) => (
              <option key={ordering} value={ordering}>
                {ORDERINGS[ordering]}
              </option>
            ))}
          </select>
        </div>
        <Button aria-expanded={more} onClick={() => setMore(!more)} className={css.more}>
          <SlidersHorizontal size={14} aria-hidden /> More
        </Button>
      </div>
      {more && (
        <div className={css.bar}>
          <Text name="priority" {...both} />
          {TIMES.map((name) => (
            <Moment key={`${name} ${query[name]}`} name={name} {...both} />
          ))}
        </div>
      )}
      <Chips {...both} />
    </div>
  );
}
