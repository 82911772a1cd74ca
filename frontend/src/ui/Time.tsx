import { roughly } from '../lib/format';
import { useNow } from '../lib/now';
import { usePreferences } from '../lib/preferences';

const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const TODAY = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const EARLIER = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

function absolute(moment: Date, now: number): string {
  const today = new Date(now).toDateString() === moment.toDateString();
  return (today ? TODAY : EARLIER).format(moment);
}

function relative(moment: Date, now: number): string {
  const seconds = (now - moment.getTime()) / 1000;
  if (seconds > -0.5 && seconds < 1) return 'now';
  return seconds < 0 ? `in ${roughly(-seconds)}` : `${roughly(seconds)} ago`;
}

/** A moment, as long ago or on the clock, as preferred; the tooltip has the other and UTC. */
export function Time({ at }: { at: string | null | undefined }) {
  const { times } = usePreferences();
  const now = useNow();
  if (!at) return <>–</>;
  const moment = new Date(at);
  const text = times === 'relative' ? relative(moment, now) : absolute(moment, now);
  const other = times === 'relative' ? FULL.format(moment) : relative(moment, now);
  return (
    <time dateTime={at} title={`${other} · ${at}`}>
      {text}
    </time>
  );
}
