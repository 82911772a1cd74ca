import { CircleCheck, Hourglass, TriangleAlert } from 'lucide-react';
import { Link } from 'wouter';
import { plural } from '../../lib/format';
import css from './overview.module.css';
import type { Finding } from './verdict';

export function Verdict({ findings }: { findings: Finding[] | undefined }) {
  if (!findings) {
    return (
      <section className={css.verdict} aria-label="Verdict" data-tone="unknown">
        <Hourglass size={20} aria-hidden />
        <strong>Looking…</strong>
      </section>
    );
  }
  const urgent = findings.filter((finding) => finding.urgent).length;
  const tone = urgent ? 'urgent' : findings.length ? 'notice' : 'good';
  const Icon = tone === 'good' ? CircleCheck : TriangleAlert;
  return (
    <section className={css.verdict} aria-label="Verdict" data-tone={tone}>
      <Icon size={20} aria-hidden />
      <div>
        <strong>
          {tone === 'good' && 'Healthy'}
          {tone === 'notice' && `${plural(findings.length, 'thing')} to look at`}
          {tone === 'urgent' &&
            `${plural(findings.length, 'thing needs', 'things need')} attention`}
        </strong>
        {tone === 'good' && <p>Nothing failed in the last hour, and no queue is behind.</p>}
        {findings.length > 0 && (
          <ul>
            {findings.map(({ key, href, what, about }) => (
              <li key={key}>
                <Link href={href}>{what}</Link> {about}
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
