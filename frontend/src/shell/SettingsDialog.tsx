import { Monitor, Moon, Sun } from 'lucide-react';
import { boot } from '../boot';
import { type Preferences, prefer, usePreferences } from '../lib/preferences';
import { Dialog } from '../ui/Dialog';
import css from './settings.module.css';
import { shortcuts } from './shortcuts';

const THEMES = [
  ['system', 'System', Monitor],
  ['light', 'Light', Sun],
  ['dark', 'Dark', Moon],
] as const;

function Choice<K extends keyof Preferences>({
  name,
  value,
  children,
}: {
  name: K;
  value: Preferences[K];
  children: React.ReactNode;
}) {
  const chosen = usePreferences()[name] === value;
  return (
    <label className={css.choice}>
      <input
        type="radio"
        name={name}
        checked={chosen}
        onChange={() => prefer({ [name]: value } as Partial<Preferences>)}
      />
      <span>{children}</span>
    </label>
  );
}

export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const { shortcuts: keys } = usePreferences();
  const { user, versions } = boot();
  return (
    <Dialog title="Help and settings" onClose={onClose}>
      <fieldset className={css.set}>
        <legend>Theme</legend>
        {THEMES.map(([value, word, Icon]) => (
          <Choice key={value} name="theme" value={value}>
            <Icon size={14} aria-hidden /> {word}
          </Choice>
        ))}
      </fieldset>
      <fieldset className={css.set}>
        <legend>Times</legend>
        <Choice name="times" value="relative">
          12 s ago
        </Choice>
        <Choice name="times" value="absolute">
          On the clock
        </Choice>
      </fieldset>
      <label className={css.switch}>
        <input
          type="checkbox"
          checked={keys}
          onChange={(event) => prefer({ shortcuts: event.target.checked })}
        />
        Keyboard shortcuts
      </label>
      <dl className={css.keys} data-off={!keys}>
        {shortcuts().map(({ keys: written, label }) => (
          <div key={written}>
            <dt>
              {written.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <p className={css.about}>
        {user ? `Signed in as ${user}` : 'Not signed in; open on this machine'} · QForge{' '}
        {versions.qforge}
      </p>
    </Dialog>
  );
}
