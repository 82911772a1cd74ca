import { useQueryClient } from '@tanstack/react-query';
import { Pause, Play, RotateCw } from 'lucide-react';
import { useConnection } from '../api/connection';
import { boot } from '../boot';
import { roughly } from '../lib/format';
import { useNow } from '../lib/now';
import { prefer } from '../lib/preferences';
import { useIsLive, useLiveBus, useLiveState } from '../live/useLive';
import { Button } from '../ui/Button';
import css from './header.module.css';
import { useShortcut } from './shortcuts';

export function LiveIndicator() {
  const client = useQueryClient();
  const bus = useLiveBus();
  const live = useIsLive();
  const { held, streaming } = useLiveState();
  const { lastGood, misses } = useConnection();
  useNow();
  const { enabled } = boot().live;
  const toggle = () => prefer({ live: !live });
  const refresh = () => {
    bus.now();
    void client.invalidateQueries();
  };
  useShortcut('.', 'Refresh now', refresh);
  useShortcut('l', live ? 'Stop live updates' : 'Start live updates', enabled ? toggle : undefined);
  const age = lastGood ? (Date.now() - lastGood) / 1000 : 0;
  const ago = lastGood ? `${roughly(age)} ago` : 'connecting';
  const freshness = streaming && misses === 0 ? 'as it happens' : ago;
  const state = misses > 1 ? 'lost' : !live ? 'paused' : held ? 'held' : 'live';
  const word = { lost: 'Offline', live: 'Live', paused: 'Paused', held: 'Holding' }[state];
  return (
    <div
      className={css.live}
      title={
        held ? 'Changes wait until you have finished typing, selecting or choosing' : undefined
      }
    >
      <span className={css.dot} data-state={state} aria-hidden />
      <span className={css.liveText}>
        {word}
        <span className={css.age}> · {freshness}</span>
      </span>
      {enabled && (
        <Button
          look="ghost"
          iconOnly
          shortcut="l"
          title={live ? 'Stop live updates' : 'Start live updates'}
          aria-label={live ? 'Stop live updates' : 'Start live updates'}
          onClick={toggle}
        >
          {live ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
        </Button>
      )}
      <Button
        look="ghost"
        iconOnly
        shortcut="."
        title="Refresh now"
        aria-label="Refresh now"
        onClick={refresh}
        className={css.refresh}
      >
        <RotateCw size={15} aria-hidden />
      </Button>
    </div>
  );
}
