import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './Button';
import css from './dialog.module.css';

interface Props {
  title: string;
  onClose: () => void;
  /** From the side, over the full height. */
  drawer?: boolean;
  /** It shows things to be watched: the page is kept up to date while it is open. */
  live?: boolean;
  children: ReactNode;
}

/** A native modal dialog: it keeps the focus inside, closes on Esc and gives the focus back. */
export function Dialog({ title, onClose, drawer, live, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog && !dialog.open) {
      dialog.showModal();
      // A dialog would begin with its first control, which is the one that closes it.
      dialog.querySelector<HTMLElement>('[data-first]')?.focus();
    }
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes a dialog by itself
    <dialog
      ref={ref}
      className={drawer ? css.drawer : css.dialog}
      data-live={live ? '' : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      <div className={css.inner}>
        <header className={css.head}>
          <h2 id={id}>{title}</h2>
          <Button look="ghost" iconOnly aria-label="Close" onClick={onClose}>
            <X size={16} aria-hidden />
          </Button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
