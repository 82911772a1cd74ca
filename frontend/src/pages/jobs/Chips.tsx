import { X } from 'lucide-react';
import type { JobQuery } from '../../api/queries';
import { Button } from '../../ui/Button';
import { active, FILTERS } from './filters';
import css from './jobs.module.css';

interface Props {
  query: JobQuery;
  onChange: (change: Record<string, string | null>) => void;
}

/** The filters that are set, each with a button that takes it away. */
export function Chips({ query, onChange }: Props) {
  const set = active(query);
  if (set.length === 0) return null;
  return (
    <ul className={css.chips} aria-label="Filters">
      {set.map(([name, value]) => (
        <li key={name}>
          <span>
            {FILTERS[name]}: <b>{value}</b>
          </span>
          <button
            type="button"
            aria-label={`Remove ${FILTERS[name]}`}
            onClick={() => onChange({ [name]: null })}
          >
            <X size={13} aria-hidden />
          </button>
        </li>
      ))}
      <li className={css.clear}>
        <Button
          look="ghost"
          onClick={() => onChange(Object.fromEntries(set.map(([name]) => [name, null])))}
        >
          Clear filters
        </Button>
      </li>
    </ul>
  );
}
