import type { ButtonHTMLAttributes } from 'react';
import css from './ui.module.css';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'plain' | 'primary' | 'danger' | 'ghost';
  /** The key that does the same; shown in the tooltip. */
  shortcut?: string;
  /** Why it cannot be pressed. It stays focusable, so that the reason can be read. */
  refused?: string;
  iconOnly?: boolean;
}

export function Button({
  look = 'plain',
  shortcut,
  refused,
  iconOnly,
  title,
  onClick,
  ...rest
}: Props) {
  const hint = [refused ?? title, shortcut && !refused ? `(${shortcut})` : ''].join(' ').trim();
  return (
    <button
      type="button"
      {...rest}
      className={[css.button, look !== 'plain' && css[look], iconOnly && css.icon, rest.className]
        .filter(Boolean)
        .join(' ')}
      title={hint || undefined}
      aria-keyshortcuts={refused ? undefined : shortcut}
      aria-disabled={refused ? true : undefined}
      onClick={refused ? undefined : onClick}
    />
  );
}
