import { Lock, Plus, Settings2 } from 'lucide-react';
import { useState } from 'react';
import { boot } from '../boot';
import { forbidden, READ_ONLY } from '../lib/access';
import { EnqueueDrawer } from '../pages/tasks/EnqueueDrawer';
import { Button } from '../ui/Button';
import css from './header.module.css';
import { LiveIndicator } from './LiveIndicator';
import { Search } from './Search';
import { SettingsDialog } from './SettingsDialog';
import { useShortcut } from './shortcuts';

export function Header() {
  const [open, setOpen] = useState<'settings' | 'enqueue' | null>(null);
  useShortcut('?', 'Help and settings', () => setOpen('settings'));
  const refused = forbidden('enqueue_job');
  useShortcut('e', 'Enqueue a job', refused ? undefined : () => setOpen('enqueue'));
  const { environment, readOnly } = boot();
  return (
    <header className={css.header}>
      <Search />
      {environment && (
        <span className={css.environment} data-production={/^prod/i.test(environment)}>
          {environment}
        </span>
      )}
      {readOnly && (
        <span className={css.readOnly} title={READ_ONLY}>
          <Lock size={12} aria-hidden /> Read-only
        </span>
      )}
      <LiveIndicator />
      <Button
        look="ghost"
        iconOnly
        shortcut="?"
        title="Help and settings"
        aria-label="Help and settings"
        onClick={() => setOpen('settings')}
      >
        <Settings2 size={16} aria-hidden />
      </Button>
      <Button
        look="primary"
        shortcut="e"
        title="Enqueue a job"
        refused={refused}
        aria-label="Enqueue"
        onClick={() => setOpen('enqueue')}
      >
        <Plus size={15} aria-hidden />
        <span className={css.enqueueWord}>Enqueue</span>
      </Button>
      {open === 'settings' && <SettingsDialog onClose={() => setOpen(null)} />}
      {open === 'enqueue' && <EnqueueDrawer onClose={() => setOpen(null)} />}
    </header>
  );
}
