import { Copy } from 'lucide-react';
import type { Job, JobEvent } from '../../api/client';
import { forbidden } from '../../lib/access';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { copy } from '../../ui/copy';
import css from './job.module.css';
import { MoreLikeThis } from './MoreLikeThis';

const LIBRARY = /site-packages|dist-packages|\/lib\/python3|jobs\/worker\/executor\.py/;

/** The traceback of the newest failure among the events, which come newest first. */
export function tracebackOf(events: JobEvent[]): string {
  for (const { data } of events) {
    const error = (data as { error?: { traceback?: string } } | null)?.error;
    if (error?.traceback && !forbidden('view_payload')) return error.traceback;
  }
  return '';
}

/** The lines of a traceback; those of libraries are marked, so that one's own stand out. */
function Lines({ text }: { text: string }) {
  let library = false;
  return (
    <>
      {text.split('\n').map((line, index) => {
        if (line.startsWith('  File ')) library = LIBRARY.test(line);
        else if (!line.startsWith(' ')) library = false;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never change their places
          <span key={index} data-library={library || undefined}>
            {`${line}\n`}
          </span>
        );
      })}
    </>
  );
}

export function ErrorCard({ job, events }: { job: Job; events: JobEvent[] }) {
  const traceback = tracebackOf(events);
  if (!job.error) return null;
  const past = job.status !== 'failed';
  const note = (
    <>
      <MoreLikeThis fingerprint={job.error_fingerprint} />{' '}
      <Button
        look="ghost"
        iconOnly
        aria-label="Copy the error"
        onClick={() => copy(traceback || job.error)}
      >
        <Copy size={14} aria-hidden />
      </Button>
    </>
  );
  return (
    <Card title={past ? 'Error of the last failed attempt' : 'Error'} note={note} padded>
      <p className={css.errorText}>{job.error}</p>
      {traceback.trim() && traceback.trim() !== job.error.trim() && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <pre className={css.trace} tabIndex={0}>
          <Lines text={traceback.trimEnd()} />
        </pre>
      )}
    </Card>
  );
}
