import { useId } from 'react';
import { type FailureQuery, useQueues, useTasks } from '../../api/queries';
import jobs from '../jobs/jobs.module.css';
import { FILTERS, type Filter, NAMES } from './address';

interface Props {
  query: FailureQuery;
  onChange: (change: Record<string, string | null>) => void;
}

function Text({ name, query, onChange, known }: Props & { name: Filter; known?: string[] }) {
  const id = useId();
  const value = query[name] ?? '';
  const take = (text: string) => text.trim() !== value && onChange({ [name]: text.trim() });
  return (
    <form
      className={jobs.field}
      onSubmit={(event) => {
        event.preventDefault();
        take(String(new FormData(event.currentTarget).get(name)));
      }}
    >
      <label htmlFor={id}>{FILTERS[name]}</label>
      <input
        key={value}
        id={id}
        name={name}
        list={known && `${id}-list`}
        defaultValue={value}
        placeholder={name === 'q' ? 'class or fingerprint' : 'any'}
        maxLength={255}
        autoComplete="off"
        onBlur={(event) => take(event.target.value)}
      />
      {known && (
        <datalist id={`${id}-list`}>
          {known.map((item) => (
            <option key={item} value={item} />
          ))}
        </datalist>
      )}
    </form>
  );
}

export function Filters({ query, onChange }: Props) {
  const known: Partial<Record<Filter, string[]>> = {
    task: useTasks().data?.results.map(({ name }) => name) ?? [],
    queue: useQueues().data?.results.map(({ name }) => name) ?? [],
  };
  return (
    <div className={jobs.filters}>
      <div className={jobs.bar}>
        {NAMES.map((name) => (
          <Text key={name} name={name} known={known[name]} query={query} onChange={onChange} />
        ))}
      </div>
    </div>
  );
}
