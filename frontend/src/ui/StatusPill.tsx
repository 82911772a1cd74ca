import { type ShownStatus, STATUSES } from '../lib/statuses';
import css from './ui.module.css';

export function StatusPill({ status, about }: { status: ShownStatus; about?: string }) {
  const { word, icon: Icon, help } = STATUSES[status];
  return (
    <span
      className={css.pill}
      style={{ color: `var(--${status})`, background: `var(--${status}-soft)` }}
      title={about ?? help}
    >
      <Icon size={13} aria-hidden className={status === 'running' ? css.spin : undefined} />
      {word}
    </span>
  );
}

/** A pill for what is no status: `tone` is the name of a status's colour. */
export function Pill({ tone, children }: { tone: ShownStatus; children: React.ReactNode }) {
  return (
    <span
      className={css.pill}
      style={{ color: `var(--${tone})`, background: `var(--${tone}-soft)` }}
    >
      {children}
    </span>
  );
}
