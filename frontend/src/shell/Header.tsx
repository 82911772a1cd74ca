import { Plus, Settings2 } from 'lucide-react';
import { useState } from 'react';
import { boot } from '../boot';
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
  useShortcut('e', 'Enqueue a job', () => setOpen('enqueue'));
  const { environment } = boot();
  return (
    <header className={css.header}>
      <Search />
      {environment && (
        <span className={css.environment} data-production={/^prod/i.test(environment)}>
          {environment}
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
