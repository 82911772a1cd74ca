import { ChevronLeft, ChevronRight } from 'lucide-react';
import { cursorOf } from '../../api/client';
import type { Page } from '../../api/queries';
import { plural } from '../../lib/format';
import { Button } from '../../ui/Button';
import css from './jobs.module.css';

interface Props {
  page: Page<unknown>;
  first: boolean;
  turn: (cursor: string | null) => void;
}

/** Paging by key: forward, back, and to the beginning, without a number of pages. */
export function Paging({ page, first, turn }: Props) {
  if (first && !page.next) {
    return <div className={css.paging}>{plural(page.results.length, 'row')}, all of them</div>;
  }
  return (
    <nav className={css.paging} aria-label="Pages">
      <span>{plural(page.results.length, 'row')} on this page</span>
      {!first && <Button onClick={() => turn(null)}>First page</Button>}
      <Button disabled={!page.previous} onClick={() => turn(cursorOf(page.previous))}>
        <ChevronLeft size={14} aria-hidden /> Previous
      </Button>
      <Button disabled={!page.next} onClick={() => turn(cursorOf(page.next))}>
        Next <ChevronRight size={14} aria-hidden />
      </Button>
    </nav>
  );
}
