import { RotateCcw, StepForward } from 'lucide-react';
import { useState } from 'react';
import { useJobAction } from '../../api/actions';
import type { Failure } from '../../api/client';
import { type JobQuery, useJobs } from '../../api/queries';
import { forbidden } from '../../lib/access';
import { bounded } from '../../lib/format';
import { useShortcut } from '../../shell/shortcuts';
import { Button } from '../../ui/Button';
import { ReasonDialog } from '../../ui/ReasonDialog';
import { toast } from '../../ui/toasts';
import { BulkDialog } from '../jobs/BulkDialog';
import { refused } from '../jobs/bulk';
import { NOTHING } from '../jobs/selection';

/** Retries the latest failed job alone, to see how it ends before the others follow. */
function OneFirst({ query, onClose }: { query: JobQuery; onClose: () => void }) {
  const latest = useJobs({ ...query, page_size: 1 });
  const act = useJobAction();
  // The list goes on while somebody reads; the job that was named is the one that is retried.
  const [id, setId] = useState<number | undefined>();
  const found = id ?? latest.data?.results[0]?.id;
  return (
    <ReasonDialog
      title={found === undefined ? 'Retry one job?' : `Retry job ${found}?`}
      verb="Retry one"
      busy={act.isPending || found === undefined}
      error={act.error ?? latest.error}
      onClose={onClose}
      onConfirm={(reason) => {
        if (found === undefined) return;
        setId(found);
        act.mutate(
          { id: found, action: 'retry', reason },
          {
            onSuccess: () => {
              const watch = { href: `/jobs/${found}`, text: 'Watch it' };
              toast(`Job ${found} is queued anew`, 'good', watch);
              onClose();
            },
          },
        );
      }}
    >
      The latest that failed is queued anew. See how it ends before you retry the others.
    </ReasonDialog>
  );
}

/** Retrying the jobs of a group that have failed for good: all of them, or one first. */
export function GroupRetry({ group }: { group: Failure }) {
  const [asked, setAsked] = useState<'all' | 'one' | null>(null);
  const { failed, fingerprint } = group;
  const none = failed.count ? undefined : 'No job of it has failed for good';
  const no = { all: none ?? refused('retry'), one: none ?? forbidden('retry_job') };
  useShortcut('r', 'Retry all its failed jobs', no.all ? undefined : () => setAsked('all'));
  useShortcut('1', 'Retry one of them first', no.one ? undefined : () => setAsked('one'));
  const query: JobQuery = { error_fingerprint: fingerprint, status: ['failed'] };
  const close = () => setAsked(null);
  return (
    <>
      <Button look="primary" shortcut="r" refused={no.all} onClick={() => setAsked('all')}>
        <RotateCcw size={14} aria-hidden /> Retry {failed.count > 0 && `all ${bounded(failed)}`}
      </Button>
      <Button shortcut="1" refused={no.one} onClick={() => setAsked('one')}>
        <StepForward size={14} aria-hidden /> Retry one
      </Button>
      {asked === 'all' && (
        <BulkDialog
          action="retry"
          selected={{ ...NOTHING, all: true }}
          query={query}
          onClose={close}
          onStarted={close}
        />
      )}
      {asked === 'one' && <OneFirst query={query} onClose={close} />}
    </>
  );
}
