import { useEffect, useState } from 'react';
import { ApiError } from '../../api/problem';
import { type Times, usePreview } from '../../api/schedules';
import { Problem } from '../../ui/states';
import { clockRule } from './clocks';
import { HowMany } from './HowMany';
import { Runs } from './Runs';
import css from './schedules.module.css';

const PAUSE_MS = 350;

function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text)), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** What the times mean, in words and as the next runs, while they are typed. */
export function TimesPreview({ times }: { times: Times }) {
  const [count, setCount] = useState(5);
  const settled = useSettled(times);
  const preview = usePreview(settled, count);
  const refused = preview.error instanceof ApiError && preview.error.status === 422;
  const rule = preview.data && clockRule(settled.cron, preview.data.timezone);
  return (
    <section className={css.preview} aria-label="Preview">
      {preview.error ? (
        refused ? (
          <p className={css.refused} role="alert">
            {preview.error.message}
          </p>
        ) : (
          <Problem error={preview.error} />
        )
      ) : (
        preview.data && (
          <>
            <p className={css.words} aria-live="polite">
              {preview.data.description}
            </p>
            <div className={css.scrolled}>
              <Runs runs={preview.data.results} timezone={preview.data.timezone} />
            </div>
            {rule && <p className={css.rule}>{rule}</p>}
            <HowMany count={count} onChange={setCount} />
          </>
        )
      )}
    </section>
  );
}
