import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import css from './dialog.module.css';

interface Attributes {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

interface Props {
  label: string;
  help?: ReactNode;
  error?: string;
  children: (attributes: Attributes) => ReactNode;
}

/** A labelled control, what is wrong with it tied to it. */
export function Field({ label, help, error, children }: Props) {
  const id = useId();
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
      })}
      {help && (
        <span id={`${id}-help`} className={css.help}>
          {help}
        </span>
      )}
      {error && (
        <span id={`${id}-error`} className={css.error} role="alert">
          <CircleAlert size={13} aria-hidden /> {error}
        </span>
      )}
    </div>
  );
}
