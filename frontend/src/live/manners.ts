import { msSinceInput } from './pace';

const TYPING_MS = 15_000;

function selecting(): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.toString().trim() !== '';
}

function typing(): boolean {
  const field = document.activeElement;
  if (!(field instanceof HTMLElement) || !field.matches('input, textarea, select')) return false;
  // A field that was left with the focus in it must not stop the page for ever.
  return field.matches(':not([type=checkbox], [type=radio])') && msSinceInput() < TYPING_MS;
}

/** Whether somebody is in the middle of something that new data would pull from under them. */
export function mustHold(): boolean {
  const open = 'dialog[open]:not([data-live]), [aria-haspopup][aria-expanded=true], [data-hold]';
  return document.querySelector(open) !== null || selecting() || typing();
}
