import { Flag, Layers } from 'lucide-react';
import { memo } from 'react';
import type { GraphNode } from '../../api/workflows';
import { count } from '../../lib/format';
import { ORDER, type ShownStatus, STATUSES, shownStatus } from '../../lib/statuses';
import { Elapsed } from '../../ui/Elapsed';
import ui from '../../ui/ui.module.css';
import type { Box } from './drawing';
import css from './graph.module.css';
import { BOX, type Place } from './layout';

interface Props {
  box: Box;
  place: Place;
  critical: boolean;
  chosen: boolean;
  found: boolean;
  /** The one that Tab reaches; arrow keys reach the others. */
  reachable: boolean;
  onPress: (box: Box) => void;
  onFocus: (key: string) => void;
}

/** The status a group is coloured by: the one that most wants to be seen. */
export function groupStatus(steps: GraphNode[]): ShownStatus {
  const has = new Set(steps.map(({ status }) => status));
  const wanted = ['failed', 'running', 'queued', 'scheduled', 'blocked', 'cancelled'] as const;
  return wanted.find((status) => has.has(status)) ?? 'succeeded';
}

function State({ status }: { status: ShownStatus }) {
  const { icon: Icon, word } = STATUSES[status];
  return (
    <span className={css.state} style={{ color: `var(--${status})` }}>
      <Icon size={13} aria-hidden className={status === 'running' ? ui.spin : undefined} /> {word}
    </span>
  );
}

function OfStep({ node }: { node: GraphNode }) {
  const status = shownStatus(node);
  const ran = node.status === 'running' || node.status === 'succeeded' || node.status === 'failed';
  return (
    <>
      <State status={status} />
      {node.attempts > 1 && (
        <span className={css.attempts} title={`Attempt ${node.attempts} of ${node.max_attempts}`}>
          <span className="visually-hidden">attempt </span>
          {node.attempts}/{node.max_attempts}
        </span>
      )}
      {ran && node.started_at !== null && (
        <span className={css.took}>
          <Elapsed from={node.started_at} to={node.finished_at} />
        </span>
      )}
      {node.status === 'blocked' && node.waits_for > 1 && (
        <span className={css.took}>waits for {node.waits_for}</span>
      )}
    </>
  );
}

function OfGroup({ steps }: { steps: GraphNode[] }) {
  const counts = ORDER.map((status) => ({
    status,
    steps: steps.filter((node) => node.status === status).length,
  })).filter(({ steps }) => steps > 0);
  return (
    <span className={css.counts}>
      {counts.map(({ status, steps }) => {
        const { icon: Icon, word } = STATUSES[status];
        return (
          <span key={status} style={{ color: `var(--${status})` }} title={word}>
            <Icon size={12} aria-hidden /> {count(steps)}
            <span className="visually-hidden"> {word}, </span>
          </span>
        );
      })}
    </span>
  );
}

export const Node = memo(function Node(props: Props) {
  const { box, place, critical, chosen, found, reachable, onPress, onFocus } = props;
  const [first] = box.steps;
  const group = box.steps.length > 1;
  const status = group || !first ? groupStatus(box.steps) : shownStatus(first);
  return (
    <button
      type="button"
      className={css.node}
      data-key={box.key}
      data-group={group}
      data-critical={critical}
      data-chosen={chosen}
      data-found={found}
      tabIndex={reachable ? 0 : -1}
      aria-haspopup={group ? undefined : 'dialog'}
      title={group ? `Show the ${box.steps.length} steps` : `${box.title} · ${first?.task ?? ''}`}
      style={{
        left: place.x,
        top: place.y,
        width: BOX.width,
        height: BOX.height,
        borderColor: `var(--${status})`,
        background: `color-mix(in srgb, var(--${status}-soft) 55%, var(--card))`,
      }}
      onClick={() => onPress(box)}
      onFocus={() => onFocus(box.key)}
    >
      <span className={css.name}>
        {group && <Layers size={13} aria-hidden />}
        <b>{box.title}</b>
        {group && <span className={css.times}>×{count(box.steps.length)}</span>}
        {critical && (
          <Flag size={12} className={css.flag} aria-label="on the critical path" role="img" />
        )}
      </span>
      <span className={css.line}>
        {group || !first ? <OfGroup steps={box.steps} /> : <OfStep node={first} />}
      </span>
    </button>
  );
});
