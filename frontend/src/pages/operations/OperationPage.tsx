import { Ban } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useCancelOperation } from '../../api/actions';
import { type Operation, useOperation } from '../../api/queries';
import { forbidden } from '../../lib/access';
import { count, roughly } from '../../lib/format';
import { useNow } from '../../lib/now';
import { Page } from '../../shell/Page';
import { useShortcut } from '../../shell/shortcuts';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { ReasonDialog } from '../../ui/ReasonDialog';
import { Empty, Loaded } from '../../ui/states';
import { toast } from '../../ui/toasts';
import { NotFoundPage } from '../NotFoundPage';
import { Facts } from './Facts';
import { OperationStatus } from './OperationStatus';
import css from './operations.module.css';
import { Problems } from './Problems';
import { ProgressBar } from './ProgressBar';
import { handled, leftAlone, outcome, pace, VERBS } from './words';

const ENDED = 'It has ended';

function Confirm({ operation, onClose }: { operation: Operation; onClose: () => void }) {
  const cancel = useCancelOperation();
  const { id } = operation;
  const onSuccess = () => {
    toast(`Operation ${id} is cancelled`);
    onClose();
  };
  return (
    <ReasonDialog
      title={`Stop operation ${id}?`}
      verb="Stop the operation"
      danger
      busy={cancel.isPending}
      error={cancel.error}
      onClose={onClose}
      onConfirm={(reason) => cancel.mutate({ id, reason }, { onSuccess })}
    >
      It ends after the batch it is at. What it has done stays done: {count(operation.done)} so far.
    </ReasonDialog>
  );
}

function Summary({ operation }: { operation: Operation }) {
  const now = useNow();
  const { status, matched, runner_job } = operation;
  const speed = pace(operation, now);
  if (status === 'pending') {
    return (
      <>
        Waits for a worker
        {runner_job && (
          <>
            ; <Link href={`/jobs/${runner_job.id}`}>job {runner_job.id}</Link> says for what
          </>
        )}
      </>
    );
  }
  if (status === 'failed') return <>It could not go on: {operation.error || 'unknown reason'}</>;
  const of = `${count(handled(operation))} of ${count(matched ?? 0)}`;
  if (status === 'cancelled') {
    const by = operation.cancelled_by && ` by ${operation.cancelled_by}`;
    const why = operation.cancel_reason && `: ${operation.cancel_reason}`;
    return (
      <>
        Stopped after {of}
        {by}
        {why}
      </>
    );
  }
  if (status === 'succeeded') {
    return <>{matched === 0 ? 'No job matched' : outcome(operation)}</>;
  }
  return (
    <>
      {of}
      {speed && ` · ${count(Math.round(speed.perSecond))} a second · ${roughly(speed.left)} left`}
    </>
  );
}

const COUNTS = [
  ['done', 'Done'],
  ['skipped', 'Skipped'],
  ['failed', 'Failed'],
  ['also_changed', 'Steps changed along'],
] as const;

function Progress({ operation }: { operation: Operation }) {
  const alone = leftAlone(operation);
  return (
    <Card title="Progress" padded>
      <div className={css.progress}>
        <p className={css.summary} data-tone={operation.status}>
          <Summary operation={operation} />
        </p>
        <ProgressBar operation={operation} />
        <dl className={css.counts}>
          {COUNTS.map(([name, word]) => (
            <div key={name} data-name={name} data-none={operation[name] === 0}>
              <dt>{word}</dt>
              <dd>{count(operation[name])}</dd>
            </div>
          ))}
          <div data-none={alone === 0}>
            <dt title="They changed after this was asked for, or arrived too late">Left alone</dt>
            <dd>{count(alone)}</dd>
          </div>
        </dl>
      </div>
    </Card>
  );
}

function Found({ operation }: { operation: Operation }) {
  const [asked, setAsked] = useState(false);
  const open = operation.allowed_actions.includes('cancel');
  const refused = open ? forbidden('bulk_operate') : ENDED;
  useShortcut('c', 'Stop the operation', refused ? undefined : () => setAsked(true));
  return (
    <Page
      title={`${VERBS[operation.action]}: operation ${operation.id}`}
      beside={<OperationStatus status={operation.status} />}
      actions={
        <Button look="danger" shortcut="c" refused={refused} onClick={() => setAsked(true)}>
          <Ban size={14} aria-hidden /> Stop
        </Button>
      }
    >
      <Progress operation={operation} />
      <Facts operation={operation} />
      {operation.skipped + operation.failed > 0 && <Problems operation={operation} />}
      {asked && <Confirm operation={operation} onClose={() => setAsked(false)} />}
    </Page>
  );
}

function Looked({ id }: { id: number }) {
  const operation = useOperation(id);
  const gone = operation.error && 'status' in operation.error && operation.error.status === 404;
  if (operation.data && !gone) return <Found operation={operation.data} />;
  return (
    <Page title={`Operation ${id}`}>
      {gone ? (
        <Empty title={`There is no operation ${id}`}>
          <Link href="/operations">All operations</Link>
        </Empty>
      ) : (
        <Loaded of={operation} lines={6} framed>
          {() => null}
        </Loaded>
      )}
    </Page>
  );
}

export function OperationPage({ id }: { id: string }) {
  if (!/^[1-9]\d{0,15}$/.test(id)) return <NotFoundPage />;
  return <Looked id={Number(id)} />;
}
