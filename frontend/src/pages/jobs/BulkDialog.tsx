import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { DRY_RUN, type DryRun, dryRun, useStartOperation } from '../../api/actions';
import { ApiError } from '../../api/problem';
import type { JobQuery } from '../../api/queries';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import dialog from '../../ui/dialog.module.css';
import { Field } from '../../ui/Field';
import { StatusPill } from '../../ui/StatusPill';
import { Loaded, Problem } from '../../ui/states';
import { toast } from '../../ui/toasts';
import { asked, BULK, jobs, type Offered } from './bulk';
import css from './bulk.module.css';
import type { Selected } from './selection';

interface Props {
  action: Offered;
  selected: Selected;
  query: JobQuery;
  onClose: () => void;
  onStarted: () => void;
}

const RATES = [
  ['', 'As fast as it goes'],
  ['1', '1 a second'],
  ['10', '10 a second'],
  ['50', '50 a second'],
  ['200', '200 a second'],
] as const;

function Sample({ found }: { found: DryRun }) {
  const more = found.count > found.sample.length || !found.exact;
  return (
    <ul className={css.sample} aria-label="The first of them">
      {found.sample.slice(0, 5).map((job) => (
        <li key={job.id}>
          <StatusPill status={job.status} />
          <span className={css.task}>{job.task}</span>
          <small>#{job.id}</small>
        </li>
      ))}
      {(more || found.sample.length > 5) && <li className={css.more}>and more</li>}
    </ul>
  );
}

function Form({ found, again, ...props }: Props & { found: DryRun; again: () => void }) {
  const { action, selected, query, onClose, onStarted } = props;
  const [reason, setReason] = useState('');
  const [rate, setRate] = useState('');
  const [, navigate] = useLocation();
  const start = useStartOperation();
  const first = useRef<HTMLInputElement>(null);
  // The dialog was there before it had anything to begin with.
  useEffect(() => first.current?.focus(), []);
  const { verb, about, none } = BULK[action];
  const grown = start.error instanceof ApiError && start.error.code === 'count-mismatch';
  const submit = () => {
    if (start.isPending || found.count === 0) return;
    const body = {
      ...asked(selected, query, action),
      reason: reason.trim(),
      ...(rate ? { rate_per_second: Number(rate) } : {}),
      ...(found.exact ? { expected_count: found.count } : {}),
    };
    start.mutate(body, {
      onError: (error) => {
        if (error instanceof ApiError && error.code === 'count-mismatch') again();
      },
      onSuccess: ({ id }) => {
        toast(`${verb}: operation ${id} has begun`);
        onStarted();
        navigate(`/operations/${id}`);
      },
    });
  };
  return (
    <form
      className={dialog.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p className={dialog.text}>
        {found.count === 0 ? `${none}.` : `${about} Jobs that arrive after this are left alone.`}
      </p>
      {found.count > 0 && <Sample found={found} />}
      <Field label="Reason" help="Optional; kept in the history, up to 500 characters.">
        {(attributes) => (
          <input
            {...attributes}
            ref={first}
            value={reason}
            maxLength={500}
            autoComplete="off"
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
      <Field label="Pace" help="Slower spares what the jobs call.">
        {(attributes) => (
          <select {...attributes} value={rate} onChange={(event) => setRate(event.target.value)}>
            {RATES.map(([value, word]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </select>
        )}
      </Field>
      {grown && (
        <p className={css.notice} role="alert">
          More jobs match by now. Look at the number and confirm again.
        </p>
      )}
      {start.error && !grown && <Problem error={start.error} />}
      <div className={dialog.buttons}>
        <Button onClick={onClose}>Back</Button>
        <Button
          type="submit"
          look={action === 'cancel' ? 'danger' : 'primary'}
          disabled={start.isPending || found.count === 0}
        >
          {start.isPending ? 'Working…' : `${verb} ${jobs(found)}`}
        </Button>
      </div>
    </form>
  );
}

/** Asks the server how many jobs it would be for, then for a reason and a confirmation. */
export function BulkDialog(props: Props) {
  const body = asked(props.selected, props.query, props.action);
  const found = useQuery({
    queryKey: [DRY_RUN, body, 'asked'],
    queryFn: ({ signal }) => dryRun(body, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const { verb } = BULK[props.action];
  const title = found.data ? `${verb} ${jobs(found.data)}?` : `${verb} these jobs?`;
  return (
    <Dialog title={title} onClose={props.onClose}>
      <Loaded of={found} lines={5}>
        {(data) => <Form {...props} found={data} again={() => void found.refetch()} />}
      </Loaded>
    </Dialog>
  );
}
