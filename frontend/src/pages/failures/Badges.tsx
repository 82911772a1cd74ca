import { BellOff, CircleCheck, CircleDot, RotateCcw, Sparkles } from 'lucide-react';
import type { FailureRow, FailureStatus } from '../../api/client';
import { count } from '../../lib/format';
import { Pill } from '../../ui/StatusPill';
import css from './failures.module.css';
import { GROUP_STATUSES } from './words';

const ICONS = { open: CircleDot, ignored: BellOff, resolved: CircleCheck };

export function GroupPill({ status }: { status: FailureStatus }) {
  const { word, tone, help } = GROUP_STATUSES[status];
  const Icon = ICONS[status];
  return (
    <span title={help}>
      <Pill tone={tone}>
        <Icon size={13} aria-hidden /> {word}
      </Pill>
    </span>
  );
}

/** What sets a group apart: its status unless open, that it is new, or is back. */
export function Badges({ group, withStatus }: { group: FailureRow; withStatus?: boolean }) {
  const left = group.ignore_until_count;
  return (
    <span className={css.badges}>
      {(withStatus || group.status !== 'open') && <GroupPill status={group.status} />}
      {left !== null && (
        <span className={css.until}>for {count(Math.max(left - group.occurrences, 1))} more</span>
      )}
      {group.is_new && (
        <Pill tone="running">
          <Sparkles size={12} aria-hidden /> New in {group.first_release}
        </Pill>
      )}
      {group.reopened_at && (
        <Pill tone="retrying">
          <RotateCcw size={12} aria-hidden /> Reopened
        </Pill>
      )}
    </span>
  );
}
