import { useQueryClient } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { useConnection } from '../api/connection';
import { roughly } from '../lib/format';
import { useNow } from '../lib/now';
import { useLiveBus, useLiveState } from '../live/useLive';
import { Button } from '../ui/Button';
import css from './shell.module.css';

const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** Says, after two missed polls, that what is shown is old and when it is tried again. */
export function Banner() {
  const client = useQueryClient();
  const bus = useLiveBus();
  const { misses, lastGood } = useConnection();
  const { nextAt } = useLiveState();
  useNow();
  if (misses < 2) return null;
  const again = () => {
    bus.now();
    void client.invalidateQueries();
  };
  const left = Math.max((nextAt - Date.now()) / 1000, 0);
  return (
    <div className={css.banner} role="alert">
      <CloudOff size={16} aria-hidden />
      <span>
        <strong>Connection lost.</strong>{' '}
        {lastGood ? `Showing data from ${CLOCK.format(lastGood)}.` : ''}{' '}
        {nextAt > 0 && (
          <span aria-hidden>
            {left >= 1 ? `Trying again in ${roughly(left)}.` : 'Trying again…'}
          </span>
        )}
      </span>
      <Button onClick={again}>Try now</Button>
    </div>
  );
}
