import { type ReactNode, useEffect, useRef } from 'react';
import { useConnection } from '../api/connection';
import { boot } from '../boot';
import { Boundary } from '../ui/Boundary';
import css from './shell.module.css';

let visited = false;

interface Props {
  title: string;
  /** Beside the heading. */
  beside?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A page: its title, its heading, which takes the focus after navigation, and its parts. */
export function Page({ title, beside, actions, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { misses } = useConnection();
  const { environment } = boot();
  useEffect(() => {
    document.title = [title, 'QForge', environment].filter(Boolean).join(' · ');
  }, [title, environment]);
  useEffect(() => {
    // The browser puts the focus itself when the page is loaded.
    if (visited) {
      window.scrollTo(0, 0);
      heading.current?.focus({ preventScroll: true });
    }
    visited = true;
  }, []);
  return (
    <main id="main" className={css.main} data-stale={misses > 1}>
      <div className={css.top}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {beside}
        {actions && <div className={css.actions}>{actions}</div>}
      </div>
      <Boundary>{children}</Boundary>
    </main>
  );
}
