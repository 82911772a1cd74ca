import { useQueryClient } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { connection, useConnection } from '../api/connection';
import { roughly } from '../lib/format';
import { useNow } from '../lib/now';
import { Button } from '../ui/Button';
import { delay } from './live';
import css from './shell.module.css';

const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** Says, after two missed polls, that what is shown is old and when it is tried again. */
export function Banner() {
  const client = useQueryClient();
  const { misses, lastGood } = useConnection();
  const [nextAt, setNextAt] = useState(0);
  useNow();
  useEffect(() => {
    if (misses === 0) return;
    const wait = delay(misses, false);
    setNextAt(Date.now() + wait);
    // Also for pages whose own polls are rare or stopped.
    const timer = setTimeout(() => void client.refetchQueries({ queryKey: ['stats'] }), wait);
    return () => clearTimeout(timer);
  }, [misses, client]);
  useEffect(() => {
    const online = () => connection.get().misses > 0 && void client.invalidateQueries();
    window.addEventListener('online', online);
    return () => window.removeEventListener('online', online);
  }, [client]);
  if (misses < 2) return null;
  const left = Math.max((nextAt - Date.now()) / 1000, 0);
  return (
    <div className={css.banner} role="alert">
      <CloudOff size={16} aria-hidden />
      <span>
        <strong>Connection lost.</strong>{' '}
        {lastGood ? `Showing data from ${CLOCK.format(lastGood)}.` : ''}{' '}
        <span aria-hidden>{left >= 1 ? `Trying again in ${roughly(left)}.` : 'Trying again…'}</span>
      </span>
      <Button onClick={() => void client.invalidateQueries()}>Try now</Button>
    </div>
  );
}
