import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Failure } from '../../api/client';
import { bounded, count } from '../../lib/format';
import { Button } from '../../ui/Button';
import { copy } from '../../ui/copy';
import { Time } from '../../ui/Time';
import ui from '../../ui/ui.module.css';
import css from './failures.module.css';
import { jobsOf, RETRYING } from './words';

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Note({ group }: { group: Failure }) {
  if (!group.note && !group.changed_at) return null;
  return (
    <div className={css.note}>
      {group.note && <p>{group.note}</p>}
      {group.changed_at && (
        <p className={css.decided}>
          {group.changed_by || 'somebody'}, <Time at={group.changed_at} />
        </p>
      )}
    </div>
  );
}

export function GroupFacts({ group }: { group: Failure }) {
  const { failed, retrying } = group;
  const seen = (at: string, release: string) => (
    <>
      <Time at={at} />
      {release && <span className={ui.muted}> in {release}</span>}
    </>
  );
  return (
    <section className={ui.card} aria-label="What failed">
      <div className={css.facts}>
        <p className={css.errorText}>
          <b>{group.exception}</b>
          {group.message && `: ${group.message}`}
        </p>
        <Note group={group} />
        <dl className={ui.pairs}>
          <Fact name="Task">
            <Link href={`/jobs?${new URLSearchParams({ task: group.task })}`}>{group.task}</Link>
          </Fact>
          <Fact name="Raised in">
            {group.culprit ? <code>{group.culprit}</code> : 'no code of the application'}
          </Fact>
          <Fact name="Queue">
            <Link href={`/queues#${encodeURIComponent(group.queue)}`}>{group.queue}</Link>
          </Fact>
          <Fact name="Failed for good">
            {failed.count ? (
              <Link href={jobsOf(group, 'failed')}>{bounded(failed)} now</Link>
            ) : (
              'none now'
            )}
          </Fact>
          <Fact name="To be tried again">
            {retrying.count ? (
              <Link href={jobsOf(group, ...RETRYING)}>{bounded(retrying)} now</Link>
            ) : (
              'none now'
            )}
          </Fact>
          <Fact name="Failed attempts in all">{count(group.occurrences)}</Fact>
          <Fact name="First seen">{seen(group.first_seen_at, group.first_release)}</Fact>
          <Fact name="Last seen">{seen(group.last_seen_at, group.last_release)}</Fact>
          <Fact name="Fingerprint">
            <span className={css.fingerprint}>
              <code title={group.fingerprint}>{group.fingerprint.slice(0, 12)}</code>
              <Button
                look="ghost"
                iconOnly
                aria-label="Copy the fingerprint"
                onClick={() => copy(group.fingerprint)}
              >
                <Copy size={14} aria-hidden />
              </Button>
            </span>
          </Fact>
        </dl>
      </div>
    </section>
  );
}
