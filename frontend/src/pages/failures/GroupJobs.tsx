import { Link } from 'wouter';
import type { Failure } from '../../api/client';
import { useJobs } from '../../api/queries';
import { Card } from '../../ui/Card';
import { Empty, Loaded } from '../../ui/states';
import { JobsTable } from '../jobs/JobsTable';
import { useRowKeys } from '../jobs/useRowKeys';
import { jobsOf } from './words';

const SHOWN = 10;

/** The latest jobs of the group, whatever has become of them. */
export function GroupJobs({ group }: { group: Failure }) {
  const jobs = useJobs({ error_fingerprint: group.fingerprint, page_size: SHOWN });
  const rows = jobs.data?.results ?? [];
  const { chosen, bodyRef } = useRowKeys(rows.map(({ id }) => `/jobs/${id}`));
  return (
    <Card title="Jobs" note={<Link href={jobsOf(group)}>All jobs of this group</Link>}>
      <Loaded of={jobs}>
        {() =>
          rows.length === 0 ? (
            <Empty title="No job belongs to it any more">
              <p>They have succeeded since, were retried, or were pruned after their time.</p>
            </Empty>
          ) : (
            <JobsTable
              jobs={rows}
              chosen={chosen === null ? null : (rows[chosen]?.id ?? null)}
              bodyRef={bodyRef}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
