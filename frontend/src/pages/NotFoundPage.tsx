import { Link } from 'wouter';
import { Page } from '../shell/Page';
import { Card } from '../ui/Card';
import { Empty } from '../ui/states';

export function NotFoundPage() {
  return (
    <Page title="Nothing here">
      <Card title="This page does not exist">
        <Empty title="The address leads nowhere">
          <p>
            Go to the <Link href="/">overview</Link>, or look for a job with the search above.
          </p>
        </Empty>
      </Card>
    </Page>
  );
}
