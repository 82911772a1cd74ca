import { type ReactNode, useState } from 'react';
import { Button } from './Button';
import { Dialog } from './Dialog';
import css from './dialog.module.css';
import { Field } from './Field';
import { Problem } from './states';

interface Props {
  title: string;
  /** The word on the button that does it. */
  verb: string;
  danger?: boolean;
  busy: boolean;
  error: Error | null;
  children?: ReactNode;
  onConfirm: (reason: string) => void;
  onClose: () => void;
}

/** Asks for a reason and a confirmation before something is done. */
export function ReasonDialog(props: Props) {
  const { title, verb, danger, busy, error, children, onConfirm, onClose } = props;
  const [reason, setReason] = useState('');
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) onConfirm(reason.trim());
        }}
      >
        {children && <div className={css.text}>{children}</div>}
        <Field label="Reason" help="Optional; kept in the history, up to 500 characters.">
          {(attributes) => (
            <input
              {...attributes}
              data-first
              value={reason}
              maxLength={500}
              autoComplete="off"
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        {error && <Problem error={error} />}
        <div className={css.buttons}>
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" look={danger ? 'danger' : 'primary'} disabled={busy}>
            {busy ? 'Working…' : verb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
