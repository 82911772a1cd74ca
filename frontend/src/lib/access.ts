import { boot, type Permission } from '../boot';

export const READ_ONLY = 'Nothing may be changed here: the console is read-only';

/** Why the user may not do it; undefined when they may. The server has the last word. */
export function forbidden(permission: Permission): string | undefined {
  const { readOnly, permissions } = boot();
  if (readOnly && !permission.startsWith('view_') && permission !== 'export_job') return READ_ONLY;
  return permissions[permission] ? undefined : `It needs the permission qforge.${permission}`;
}
