import { Link } from 'wouter';
import { useFailure } from '../../api/queries';
import { forbidden } from '../../lib/access';
import { bounded } from '../../lib/format';
import { jobsNow } from '../failures/words';

function Group({ fingerprint }: { fingerprint: string }) {
  const group = useFailure(fingerprint).data;
  if (!group) return null;
  const { count, exact } = jobsNow(group);
  // The job itself is one of them.
  const others = bounded({ count: Math.max(count - 1, 0), exact });
  const words = count > 1 || !exact ? `${others} more like this` : 'The only one like this';
  return <Link href={`/failures/${fingerprint}`}>{words}</Link>;
}

/** A way to the failures like that of a job, with their number. */
export function MoreLikeThis({ fingerprint }: { fingerprint: string }) {
  if (!fingerprint || forbidden('view_errorgroup')) return null;
  return <Group fingerprint={fingerprint} />;
}
