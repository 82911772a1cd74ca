import { type ReactNode, useId } from 'react';
import css from './ui.module.css';

interface Props {
  title: string;
  note?: ReactNode;
  padded?: boolean;
  children: ReactNode;
}

export function Card({ title, note, padded, children }: Props) {
  const id = useId();
  return (
    <section className={css.card} aria-labelledby={id}>
      <header className={css.cardHead}>
        <h2 id={id}>{title}</h2>
        {note && <span className={css.cardNote}>{note}</span>}
      </header>
      {padded ? <div className={css.cardBody}>{children}</div> : children}
    </section>
  );
}
