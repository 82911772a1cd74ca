import { Link } from 'wouter';
import type { Failure } from '../../api/client';
import { count } from '../../lib/format';
import { Card } from '../../ui/Card';
import { JsonTree } from '../../ui/JsonTree';
import { StatusPill } from '../../ui/StatusPill';
import ui from '../../ui/ui.module.css';
import css from './failures.module.css';

/** Payloads of a few of its jobs, side by side. */
export function Samples({ group }: { group: Failure }) {
  if (group.samples.length === 0) return null;
  return (
    <Card title="Payloads" note="of the latest jobs" padded>
      <ul className={css.samples}>
        {group.samples.map(({ job, status, payload, payload_chars: chars }) => (
          <li key={job}>
            <div className={css.sampleHead}>
              <Link href={`/jobs/${job}`}>Job {job}</Link>
              {/* It has failed before, or it would not be here. */}
              <StatusPill status={status === 'scheduled' ? 'retrying' : status} />
            </div>
            {payload === null && chars > 4 ? (
              <p className={ui.muted}>
                {count(chars)} characters, <Link href={`/jobs/${job}`}>shown with the job</Link>
              </p>
            ) : (
              <JsonTree value={payload} />
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
