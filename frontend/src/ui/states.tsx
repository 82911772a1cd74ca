import { CircleAlert, Copy, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../api/problem';
import { Button } from './Button';
import { copy } from './copy';
import css from './ui.module.css';

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={css.empty}>
      <strong>{title}</strong>
      {children}
    </div>
  );
}

export function Command({ text }: { text: string }) {
  return (
    <span className={css.code}>
      <code>{text}</code>
      <Button look="ghost" iconOnly aria-label={`Copy ${text}`} onClick={() => copy(text)}>
        <Copy size={14} aria-hidden />
      </Button>
    </span>
  );
}

export function Skeleton({ lines = 6 }: { lines?: number }) {
  return (
    <div className={css.skeleton} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <i key={line} />
      ))}
    </div>
  );
}

const TIMEOUT_HINT = 'This question took too long. Narrow it down: add a status, queue or task.';

export function Problem({ error, retry }: { error: Error; retry?: () => void }) {
  const known = error instanceof ApiError ? error : undefined;
  const slow = known?.code === 'query-timeout';
  return (
    <div className={css.problem} role="alert">
      <CircleAlert size={18} aria-hidden />
      <div>
        <strong>{known?.body.title || 'Something went wrong in this part of the page'}</strong>
        <p>{slow ? TIMEOUT_HINT : error.message}</p>
        {known && known.status > 0 && (
          <p className={css.muted}>
            {known.status} · {known.code}
          </p>
        )}
      </div>
      {retry && (
        <Button onClick={retry}>
          <RotateCw size={14} aria-hidden /> Try again
        </Button>
      )}
    </div>
  );
}

interface Asked<T> {
  data: T | undefined;
  error: Error | null;
  refetch: () => unknown;
}

/** Skeleton at first, a problem when there is nothing to show, else the data, however old. */
export function Loaded<T>({
  of,
  lines,
  framed,
  children,
}: {
  of: Asked<T>;
  lines?: number;
  /** Stands outside of any card. */
  framed?: boolean;
  children: (data: T) => ReactNode;
}) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  if (of.error) {
    return (
      <div className={css.cardBody}>
        <Problem error={of.error} retry={() => void of.refetch()} />
      </div>
    );
  }
  const skeleton = <Skeleton lines={lines} />;
  return framed ? <div className={css.card}>{skeleton}</div> : skeleton;
}
