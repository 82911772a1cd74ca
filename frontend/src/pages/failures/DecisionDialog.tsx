import { useState } from 'react';
import { type Decision, useDecide } from '../../api/actions';
import type { Failure } from '../../api/client';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import dialog from '../../ui/dialog.module.css';
import { Field } from '../../ui/Field';
import { Problem } from '../../ui/states';
import { toast } from '../../ui/toasts';

export type Action = 'resolve' | 'ignore' | 'open' | 'note';

const WORDS: Record<Action, { title: string; verb: string; about: string; done: string }> = {
  resolve: {
    title: 'Resolve this group?',
    verb: 'Resolve',
    about: 'It leaves the list of open failures, and comes back by itself when it is seen again.',
    done: 'The group is resolved',
  },
  ignore: {
    title: 'Ignore this group?',
    verb: 'Ignore',
    about: 'It leaves the list of open failures. Its jobs still fail and are still counted.',
    done: 'The group is ignored',
  },
  open: {
    title: 'Open this group again?',
    verb: 'Open again',
    about: 'It stands among the open failures again.',
    done: 'The group is open',
  },
  note: {
    title: 'Note on this group',
    verb: 'Save the note',
    about: 'For whoever looks at this failure next: its cause, its owner, a link to its issue.',
    done: 'The note is saved',
  },
};
const STATUS = { resolve: 'resolved', ignore: 'ignored', open: 'open' } as const;

/** What is sent; undefined when the number is none. */
export function decisionOf(
  action: Action,
  note: string,
  known: string,
  more: string,
): Decision | undefined {
  const decision: Decision = {};
  if (action !== 'note') decision.status = STATUS[action];
  if (action === 'note' || note !== known) decision.note = note;
  if (action === 'ignore' && more.trim()) {
    if (!/^\d{1,9}$/.test(more.trim()) || Number(more) < 1) return undefined;
    decision.ignore_for = Number(more);
  }
  return decision;
}

interface Props {
  group: Failure;
  action: Action;
  onClose: () => void;
}

/** Asks for what a decision needs, and for a note to leave with it. */
export function DecisionDialog({ group, action, onClose }: Props) {
  const act = useDecide();
  const [note, setNote] = useState(group.note);
  const [more, setMore] = useState('');
  const { title, verb, about, done } = WORDS[action];
  const decision = decisionOf(action, note.trim(), group.note, more);
  const send = () => {
    if (!decision || act.isPending) return;
    act.mutate(
      { fingerprint: group.fingerprint, decision },
      {
        onSuccess: () => {
          toast(done);
          onClose();
        },
      },
    );
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className={dialog.form}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <p className={dialog.text}>{about}</p>
        {action === 'ignore' && (
          <Field
            label="Until so many more failures"
            help="Then it opens again by itself. Empty: never."
            error={decision ? undefined : 'A whole number from 1 to 999,999,999.'}
          >
            {(attributes) => (
              <input
                {...attributes}
                data-first
                inputMode="numeric"
                value={more}
                autoComplete="off"
                onChange={(event) => setMore(event.target.value)}
              />
            )}
          </Field>
        )}
        <Field label="Note" help="Optional; shown with the group, up to 2,000 characters.">
          {(attributes) => (
            <textarea
              {...attributes}
              data-first={action === 'ignore' ? undefined : true}
              rows={3}
              value={note}
              maxLength={2000}
              onChange={(event) => setNote(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
              }}
            />
          )}
        </Field>
        {act.error && <Problem error={act.error} />}
        <div className={dialog.buttons}>
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" look="primary" disabled={act.isPending}>
            {act.isPending ? 'Working…' : verb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
