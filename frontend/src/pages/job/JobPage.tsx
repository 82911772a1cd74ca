import { useState } from 'react';
import { Link } from 'wouter';
import { cursorOf, type Job } from '../../api/client';
import { ApiError } from '../../api/problem';
import { useJob, useJobEvents } from '../../api/queries';
import { boot } from '../../boot';
import { forbidden } from '../../lib/access';
import { duration } from '../../lib/format';
import { shownStatus } from '../../lib/statuses';
import { Page } from '../../shell/Page';
import { Card } from '../../ui/Card';
import { JsonCard } from '../../ui/JsonCard';
import { StatusPill } from '../../ui/StatusPill';
import { Empty, Loaded, Skeleton } from '../../ui/states';
import ui from '../../ui/ui.module.css';
import { ErrorCard } from './ErrorCard';
import { EventsCard } from './EventsCard';
import { Facts } from './Facts';
import { JobActions } from './JobActions';
import css from './job.module.css';
import { Timeline } from './Timeline';

function Gone({ id }: { id: string }) {
  const kept = boot().settings.RETENTION_SECONDS;
  const ages = kept && typeof kept === 'object' ? Object.entries(kept) : [];
  return (
    <Card title={`Job ${id}`}>
      <Empty title="There is no such job">
        {ages.length > 0 && (
          <p>
            It never was, or it was pruned. Jobs are kept after their end:{' '}
            {ages
              .map(([status, age]) => `${status} ${age === null ? 'for good' : duration(age)}`)
              .join(', ')}
            .
          </p>
        )}
        <Link href="/jobs">All jobs</Link>
      </Empty>
    </Card>
  );
}

function Parts({ job }: { job: Job }) {
  const [cursor, setCursor] = useState<string | undefined>();
  const newest = useJobEvents(job.id, undefined);
  const shown = useJobEvents(job.id, cursor);
  const ended = job.finished_at !== null;
  const events = newest.data?.results ?? [];
  const hidden = forbidden('view_payload');
  const next = cursorOf(shown.data?.next ?? null);
  return (
    <>
      <Facts job={job} />
      <ErrorCard job={job} events={events} />
      <Timeline events={events} ended={ended} />
      {hidden && <p className={css.hidden}>Payload, result and error show keys only. {hidden}.</p>}
      <div className={css.halves}>
        <JsonCard title="Payload" value={job.payload} />
        {job.status === 'succeeded' && <JsonCard title="Result" value={job.result} />}
        {Array.isArray(job.args) && job.args.length > 0 && (
          <JsonCard title="Positional arguments" value={job.args} />
        )}
      </div>
      <Loaded of={shown} framed>
        {({ results }) => (
          <EventsCard
            events={results}
            older={next ? () => setCursor(next) : undefined}
            newest={cursor ? () => setCursor(undefined) : undefined}
          />
        )}
      </Loaded>
    </>
  );
}

export function JobPage({ id }: { id: string }) {
  const known = /^\d{1,18}$/.test(id);
  const job = useJob(known ? Number(id) : 0);
  const gone = !known || (job.error instanceof ApiError && job.error.status === 404);
  if (gone) {
    return (
      <Page title={`Job ${id}`}>
        <Gone id={id} />
      </Page>
    );
  }
  const { data } = job;
  return (
    <Page
      title={data ? data.task : `Job ${id}`}
      beside={
        data && (
          <>
            <span className={css.id}>#{data.id}</span>
            <StatusPill status={shownStatus(data)} />
          </>
        )
      }
      actions={data && <JobActions job={data} />}
    >
      {data ? (
        <Parts job={data} />
      ) : (
        <section className={ui.card} aria-label="Job">
          <Loaded of={job}>{() => <Skeleton />}</Loaded>
        </section>
      )}
    </Page>
  );
}
