import css from './workers.module.css';

/** How many threads run a job, as a bar and in words. */
export function Busy({ busy, threads }: { busy: number; threads: number }) {
  const share = threads ? Math.min(busy / threads, 1) : 0;
  return (
    <span className={css.meter}>
      <span className={css.bar} aria-hidden>
        <i style={{ width: `${share * 100}%`, background: 'var(--running)' }} />
      </span>
      <span className={css.meterText}>
        {busy} of {threads}
      </span>
    </span>
  );
}
