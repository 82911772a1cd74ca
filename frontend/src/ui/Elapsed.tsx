import { between, duration, roughly } from '../lib/format';
import { useNow } from '../lib/now';

/** How long something took, or takes so far. */
export function Elapsed({ from, to }: { from: string | null; to: string | null }) {
  const now = useNow();
  if (from === null) return <>–</>;
  if (to !== null) return <>{duration(between(from, to))}</>;
  return <>{roughly(between(from, now) ?? 0)}</>;
}
