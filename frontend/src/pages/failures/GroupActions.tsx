import { BellOff, CircleCheck, CircleDot, StickyNote } from 'lucide-react';
import { useState } from 'react';
import type { Failure } from '../../api/client';
import { forbidden } from '../../lib/access';
import { useShortcut } from '../../shell/shortcuts';
import { Button } from '../../ui/Button';
import { type Action, DecisionDialog } from './DecisionDialog';
import { GroupRetry } from './GroupRetry';

const ACTIONS = {
  resolve: { verb: 'Resolve', key: 'e', icon: CircleCheck },
  ignore: { verb: 'Ignore', key: 'i', icon: BellOff },
  open: { verb: 'Open again', key: 'e', icon: CircleDot },
  note: { verb: 'Note', key: 'n', icon: StickyNote },
} as const;

function Act({ action, ask }: { action: Action; ask: () => void }) {
  const { verb, key, icon: Icon } = ACTIONS[action];
  const refused = forbidden('change_errorgroup');
  useShortcut(key, `${verb} the group`, refused ? undefined : ask);
  return (
    <Button shortcut={key} refused={refused} onClick={ask}>
      <Icon size={14} aria-hidden /> {verb}
    </Button>
  );
}

export function GroupActions({ group }: { group: Failure }) {
  const [asked, setAsked] = useState<Action | null>(null);
  const actions: Action[] =
    group.status === 'open' ? ['resolve', 'ignore', 'note'] : ['open', 'note'];
  return (
    <>
      <GroupRetry group={group} />
      {actions.map((action) => (
        <Act key={action} action={action} ask={() => setAsked(action)} />
      ))}
      {asked && <DecisionDialog group={group} action={asked} onClose={() => setAsked(null)} />}
    </>
  );
}
