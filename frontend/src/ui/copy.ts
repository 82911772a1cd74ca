import { toast } from './toasts';

/** Puts text on the clipboard and says so. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast('Copied');
  } catch {
    toast('Copying is not allowed here', 'bad');
  }
}
