import { useState } from 'react';
import { useConnection } from '../api/connection';
import { boot } from '../boot';
import { Dialog } from '../ui/Dialog';
import css from '../ui/dialog.module.css';
import ui from '../ui/ui.module.css';

/** Shown once the session has ended; the page stays as it is behind it. */
export function SignedOut() {
  const { signedOut } = useConnection();
  const [closed, setClosed] = useState(false);
  if (!signedOut || closed) return null;
  const next = encodeURIComponent(location.pathname + location.search);
  return (
    <Dialog title="Your session has ended" onClose={() => setClosed(true)}>
      <p className={css.text}>Sign in again to go on. What you see is as old as your last visit.</p>
      <div className={css.buttons}>
        <a className={`${ui.button} ${ui.primary}`} href={`${boot().loginUrl}?next=${next}`}>
          Sign in
        </a>
      </div>
    </Dialog>
  );
}
