import { useEffect, useRef, useState } from 'react';
import { useStats } from '../api/queries';
import { bounded } from '../lib/format';

const LEAST_MS = 30_000;

/** Says to those who listen to the page, now and then, how many jobs have failed. */
export function Announcer() {
  const failed = useStats().data?.jobs.failed;
  const [text, setText] = useState('');
  const said = useRef<{ count: number; at: number } | null>(null);
  const count = failed?.count;
  const words = bounded(failed);
  useEffect(() => {
    if (count === undefined) return;
    const before = said.current;
    if (before === null) {
      said.current = { count, at: 0 };
      return;
    }
    if (count === before.count) return;
    const say = () => {
      said.current = { count, at: Date.now() };
      setText(`Failed jobs ${count > before.count ? 'rose' : 'fell'} to ${words}.`);
    };
    const timer = setTimeout(say, Math.max(before.at + LEAST_MS - Date.now(), 0));
    return () => clearTimeout(timer);
  }, [count, words]);
  return (
    <span className="visually-hidden" role="status">
      {text}
    </span>
  );
}
