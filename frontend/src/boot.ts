import type { components } from './api/schema';

export type Permission = keyof components['schemas']['QForgePermissions'];

/** What the page that Django renders tells its script, in the JSON of `#qforge-boot`. */
export interface Boot {
  /** Path below which the console lies, with its last slash. */
  base: string;
  csrf: { header: string; token: string };
  loginUrl: string;
  user: string | null;
  /** Nothing may be changed here by anybody. */
  readOnly: boolean;
  /** What the user may do, but for `readOnly`. The server decides anew each time. */
  permissions: Record<Permission, boolean>;
  environment: string;
  live: {
    enabled: boolean;
    /** The server can hold a stream open. */
    stream: boolean;
  };
  versions: Record<string, string>;
  settings: Record<string, number | Record<string, number | null> | null>;
}

let found: Boot | undefined;

export function boot(): Boot {
  if (!found) {
    const text = document.getElementById('qforge-boot')?.textContent;
    if (!text) throw new Error('The page has no #qforge-boot.');
    found = JSON.parse(text) as Boot;
  }
  return found;
}

/** The base without its last slash, as the router wants it. */
export function basePath(): string {
  return boot().base.replace(/\/$/, '');
}
