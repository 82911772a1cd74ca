import { BellOff, CircleCheck, CircleDot, RotateCcw, StickyNote } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Failure } from '../../api/client';
import { forbidden } from '../../lib/access';
import { useShortcut } from '../../shell/shortcuts';
import { Button } from '../../ui/Button';
import { type Action, DecisionDialog } from './DecisionDialog';
import { jobsOf } from './words';

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
  const [, navigate] = useLocation();
  const refused = group.failed.count ? forbidden('retry_job') : 'No job of it has failed for good';
  const retry = () => navigate(jobsOf(group, 'failed'));
  useShortcut('r', 'Choose jobs to retry', refused ? undefined : retry);
  const actions: Action[] =
    group.status === 'open' ? ['resolve', 'ignore', 'note'] : ['open', 'note'];
  return (
    <>
      <Button look="primary" shortcut="r" refused={refused} onClick={retry}>
        <RotateCcw size={14} aria-hidden /> Retry…
      </Button>
      {actions.map((action) => (
        <Act key={action} action={action} ask={() => setAsked(action)} />
      ))}
      {asked && <DecisionDialog group={group} action={asked} onClose={() => setAsked(null)} />}
    </>
  );
}
