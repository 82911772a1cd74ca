import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { Link } from 'wouter';
import { Button } from '../ui/Button';
import { dismiss, useToasts } from '../ui/toasts';
import css from './shell.module.css';

export function Toasts() {
  const toasts = useToasts();
  return (
    <div className={css.toasts} role="status">
      {toasts.map(({ id, text, tone, link }) => (
        <div key={id} className={css.toast} data-tone={tone}>
          {tone === 'good' ? (
            <CircleCheck size={16} aria-hidden />
          ) : (
            <CircleAlert size={16} aria-hidden />
          )}
          <span>
            {text} {link && <Link href={link.href}>{link.text}</Link>}
          </span>
          <Button look="ghost" iconOnly aria-label="Dismiss" onClick={() => dismiss(id)}>
            <X size={14} aria-hidden />
          </Button>
        </div>
      ))}
    </div>
  );
}
