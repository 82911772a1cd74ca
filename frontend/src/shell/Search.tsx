import { Search as Glass } from 'lucide-react';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import css from './header.module.css';
import { useShortcut } from './shortcuts';

/** Where a search leads: a number is the id of a job, anything else text to look for. */
export function target(text: string): string | undefined {
  const wanted = text.trim();
  if (!wanted) return undefined;
  const id = /^#?(\d{1,18})$/.exec(wanted)?.[1];
  return id ? `/jobs/${id}` : `/jobs?q=${encodeURIComponent(wanted.slice(0, 200))}`;
}

export function Search() {
  const [text, setText] = useState('');
  const [, navigate] = useLocation();
  const input = useRef<HTMLInputElement>(null);
  useShortcut('/', 'Search', () => input.current?.focus());
  return (
    <search className={css.searchBox}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const place = target(text);
          if (!place) return;
          setText('');
          input.current?.blur();
          navigate(place);
        }}
      >
        <Glass size={15} aria-hidden />
        <input
          ref={input}
          type="search"
          value={text}
          maxLength={200}
          aria-label="Find a job by id, task or error"
          placeholder="Job id, task or error…"
          aria-keyshortcuts="/"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        />
        <kbd aria-hidden>/</kbd>
      </form>
    </search>
  );
}
