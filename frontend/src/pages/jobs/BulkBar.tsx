import { X } from 'lucide-react';
import { useState } from 'react';
import type { JobQuery } from '../../api/queries';
import { bounded, plural } from '../../lib/format';
import { useShortcut } from '../../shell/shortcuts';
import { Button } from '../../ui/Button';
import { BulkDialog } from './BulkDialog';
import { BULK, OFFERED, type Offered, refused, useFit } from './bulk';
import css from './bulk.module.css';
import type { Selection } from './selection';

interface Props {
  selection: Selection;
  query: JobQuery;
}

function Action({
  action,
  selection,
  query,
  onAsk,
}: Props & { action: Offered; onAsk: () => void }) {
  const { verb, key, icon: Icon, none } = BULK[action];
  const found = useFit(selection.selected, query, action);
  const why = refused(action) ?? (found?.count === 0 ? none : undefined);
  useShortcut(key, `${verb} the selected jobs`, why ? undefined : onAsk);
  return (
    <Button
      look={action === 'cancel' ? 'danger' : 'plain'}
      shortcut={key}
      refused={why}
      onClick={onAsk}
    >
      <Icon size={14} aria-hidden /> {verb}
      {found && found.count > 0 && <span className={css.count}>{bounded(found)}</span>}
    </Button>
  );
}

/** What can be done to the selected jobs. While it is there the list keeps still. */
export function BulkBar({ selection, query }: Props) {
  const [asked, setAsked] = useState<Offered | null>(null);
  const { selected, any } = selection;
  useShortcut('a', 'Select all jobs that match', selection.everything);
  useShortcut('Escape', 'Select nothing', any && !asked ? selection.clear : undefined);
  if (!any) return null;
  return (
    <section className={css.bar} aria-label="Selected jobs" data-hold>
      <strong aria-live="polite">
        {selected.all ? 'All that match' : `${plural(selected.rows.size, 'job')} selected`}
      </strong>
      <div className={css.actions}>
        {OFFERED.map((action) => (
          <Action
            key={action}
            action={action}
            selection={selection}
            query={query}
            onAsk={() => setAsked(action)}
          />
        ))}
      </div>
      <div className={css.scope}>
        {!selected.all && (
          <Button look="ghost" shortcut="a" onClick={selection.everything}>
            Select all that match
          </Button>
        )}
        <Button
          look="ghost"
          iconOnly
          shortcut="Escape"
          aria-label="Select nothing"
          title="Select nothing"
          onClick={selection.clear}
        >
          <X size={16} aria-hidden />
        </Button>
      </div>
      {asked && (
        <BulkDialog
          action={asked}
          selected={selected}
          query={query}
          onClose={() => setAsked(null)}
          onStarted={selection.clear}
        />
      )}
    </section>
  );
}
