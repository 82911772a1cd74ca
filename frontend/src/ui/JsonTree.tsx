import { useState } from 'react';
import { ExactNumber } from '../lib/exactJson';
import { count, plural } from '../lib/format';
import css from './json.module.css';

const CHUNK = 100;
const LONG_TEXT = 400;
const SMALL = 30;

function size(value: unknown): number {
  return value !== null && typeof value === 'object' ? Object.keys(value).length : 0;
}

function Text({ value }: { value: string }) {
  const [whole, setWhole] = useState(false);
  const long = value.length > LONG_TEXT && !whole;
  return (
    <>
      <span className={css.text}>{JSON.stringify(long ? value.slice(0, LONG_TEXT) : value)}</span>
      {long && (
        <button type="button" className={css.more} onClick={() => setWhole(true)}>
          … show all {count(value.length)} characters
        </button>
      )}
    </>
  );
}

function Leaf({ value }: { value: unknown }) {
  if (typeof value === 'string') return <Text value={value} />;
  if (value instanceof ExactNumber) return <span className={css.number}>{value.text}</span>;
  const kind = typeof value === 'number' ? css.number : css.word;
  return <span className={kind}>{String(value)}</span>;
}

interface NodeProps {
  name?: string;
  value: unknown;
  depth: number;
}

function Node({ name, value, depth }: NodeProps) {
  const [open, setOpen] = useState(depth === 0 || (depth === 1 && size(value) <= SMALL));
  const [shown, setShown] = useState(CHUNK);
  const key = name !== undefined && <span className={css.key}>{name}: </span>;
  if (value === null || typeof value !== 'object' || value instanceof ExactNumber) {
    return (
      <li>
        {key}
        <Leaf value={value} />
      </li>
    );
  }
  const list = Array.isArray(value);
  const entries = Object.entries(value);
  if (entries.length === 0) {
    return (
      <li>
        {key}
        <span className={css.word}>{list ? '[]' : '{}'}</span>
      </li>
    );
  }
  return (
    <li>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {key}
          <span className={css.size}>
            {list ? plural(entries.length, 'item') : plural(entries.length, 'field')}
          </span>
        </summary>
        {open && (
          <ul>
            {entries.slice(0, shown).map(([inner, item]) => (
              <Node key={inner} name={inner} value={item} depth={depth + 1} />
            ))}
            {entries.length > shown && (
              <li>
                <button
                  type="button"
                  className={css.more}
                  onClick={() => setShown(shown + CHUNK * 5)}
                >
                  show more ({count(entries.length - shown)} left)
                </button>
              </li>
            )}
          </ul>
        )}
      </details>
    </li>
  );
}

/** JSON as a tree; what is closed or far down a long list is not rendered. */
export function JsonTree({ value }: { value: unknown }) {
  return (
    <ul className={css.tree}>
      <Node value={value} depth={0} />
    </ul>
  );
}
