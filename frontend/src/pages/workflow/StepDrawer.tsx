import { ArrowRight, Repeat, Share2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { ApiError } from '../../api/problem';
import { useJob } from '../../api/queries';
import { type GraphNode, useWorkflowGraph, type WorkflowSummary } from '../../api/workflows';
import { duration } from '../../lib/format';
import { STATUSES, shownStatus } from '../../lib/statuses';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Elapsed } from '../../ui/Elapsed';
import { StatusPill } from '../../ui/StatusPill';
import { Empty, Loaded } from '../../ui/states';
import { Time } from '../../ui/Time';
import ui from '../../ui/ui.module.css';
import { JobActions } from '../job/JobActions';
import { Why } from '../job/Why';
import { refusal } from '../workflows/actions';
import { ConfirmAction } from '../workflows/ConfirmAction';
import { type Around, around } from './around';
import css from './workflow.module.css';

const SHOWN = 40;

interface Props {
  workflow: WorkflowSummary;
  step: string;
  onOpen: (step: string) => void;
  /** Draws the step with those around it; undefined where the graph is drawn whole. */
  onNear?: () => void;
  onClose: () => void;
}

function Near({
  title,
  nodes,
  onOpen,
}: {
  title: string;
  nodes: GraphNode[];
  onOpen: Props['onOpen'];
}) {
  if (nodes.length === 0) return null;
  return (
    <section aria-label={title} className={css.near}>
      <h3>{title}</h3>
      <ul>
        {nodes.slice(0, SHOWN).map((node) => {
          const status = shownStatus(node);
          const { icon: Icon, word } = STATUSES[status];
          return (
            <li key={node.job}>
              <button type="button" onClick={() => onOpen(node.step)}>
                <Icon
                  size={13}
                  style={{ color: `var(--${status})` }}
                  aria-label={word}
                  role="img"
                />
                <span>{node.step}</span>
                <small>{word}</small>
              </button>
            </li>
          );
        })}
      </ul>
      {nodes.length > SHOWN && <p className={ui.muted}>and more, at least {nodes.length} in all</p>}
    </section>
  );
}

function Body({ workflow, found, onOpen, onNear }: Props & { found: Around }) {
  const { node, parents, children } = found;
  const job = useJob(node.job);
  const [rerun, setRerun] = useState(false);
  const error = job.data?.error.trim();
  return (
    <div className={css.drawer}>
      <p className={css.drawerTop}>
        <StatusPill status={shownStatus(node)} />
        <span className="mono">{node.task}</span>
      </p>
      {job.data && <Why job={job.data} />}
      {error && node.status !== 'succeeded' && (
        <pre className={css.error}>{error.slice(-2000)}</pre>
      )}
      <dl className={ui.pairs}>
        <div>
          <dt>Attempts</dt>
          <dd>
            {node.attempts} of {node.max_attempts}
          </dd>
        </div>
        <div>
          <dt>Started</dt>
          <dd>
            <Time at={node.started_at} />
          </dd>
        </div>
        <div>
          <dt>Ran</dt>
          <dd>
            {node.started_at ? <Elapsed from={node.started_at} to={node.finished_at} /> : '–'}
          </dd>
        </div>
        <div>
          <dt>Without success of it</dt>
          <dd>
            {node.on_failure === 'cancel' ? 'what is below is cancelled' : 'the rest goes on'}
          </dd>
        </div>
        {job.data?.timeout_seconds != null && (
          <div>
            <dt>Timeout</dt>
            <dd>{duration(job.data.timeout_seconds)}</dd>
          </div>
        )}
      </dl>
      <div className={css.drawerActions}>
        {job.data && <JobActions job={job.data} />}
        <Button refused={refusal(workflow, 'rerun')} onClick={() => setRerun(true)}>
          <Repeat size={14} aria-hidden /> Rerun from here
        </Button>
      </div>
      <Near title="Waits for" nodes={parents} onOpen={onOpen} />
      <Near title="Below it" nodes={children} onOpen={onOpen} />
      <div className={css.drawerLinks}>
        <Link href={`/jobs/${node.job}`}>
          Payload, result and history of job {node.job} <ArrowRight size={13} aria-hidden />
        </Link>
        {onNear && (
          <Button onClick={onNear}>
            <Share2 size={14} aria-hidden /> Show in the graph
          </Button>
        )}
      </div>
      {rerun && (
        <ConfirmAction
          workflow={workflow}
          action="rerun"
          fromStep={node.step}
          onClose={() => setRerun(false)}
        />
      )}
    </div>
  );
}

/** One step: why it is where it is, what it hangs on, and what can be asked of it. */
export function StepDrawer(props: Props) {
  const { workflow, step, onClose } = props;
  const graph = useWorkflowGraph(workflow.id, step);
  const unknown = graph.error instanceof ApiError && graph.error.status === 422;
  return (
    <Dialog title={step} onClose={onClose} drawer live>
      {unknown ? (
        <Empty title="The workflow has no such step" />
      ) : (
        <Loaded of={graph} lines={8}>
          {(found) => {
            const here = around(found, step);
            return here ? <Body key={step} {...props} found={here} /> : null;
          }}
        </Loaded>
      )}
    </Dialog>
  );
}
