import { useRef } from 'react';
import css from './ui.module.css';

/** A text that is tinted for a moment when it has changed. */
export function Changed({ text }: { text: string }) {
  const seen = useRef(text);
  const times = useRef(0);
  if (seen.current !== text) {
    seen.current = text;
    times.current += 1;
  }
  // Another key, so that the tint begins anew.
  return (
    <span key={times.current} className={times.current ? css.changed : undefined}>
      {text}
    </span>
  );
}
