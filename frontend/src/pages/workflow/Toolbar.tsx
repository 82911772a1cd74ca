import { ArrowDown, ArrowRight, LocateFixed, Maximize, Minus, Plus, Search } from 'lucide-react';
import { useState } from 'react';
import { count, plural } from '../../lib/format';
import { Button } from '../../ui/Button';
import css from './graph.module.css';
import type { Direction } from './layout';

interface Props {
  words: string;
  matches: string[];
  onWords: (words: string) => void;
  onMatch: (key: string) => void;
  direction: Direction;
  onDirection: (direction: Direction) => void;
  follow: boolean;
  onFollow: (follow: boolean) => void;
  zoom: {
    scale: number;
    zoomIn: () => void;
    zoomOut: () => void;
    whole: () => void;
    fit: () => void;
  };
  steps: number;
  groups: number;
  opened: boolean;
  onAll?: () => void;
  onCollapse: () => void;
}

function Find({ words, matches, onWords, onMatch }: Props) {
  const [at, setAt] = useState(0);
  return (
    <form
      className={css.find}
      onSubmit={(event) => {
        event.preventDefault();
        const key = matches[at % Math.max(matches.length, 1)];
        if (key === undefined) return;
        setAt(at + 1);
        onMatch(key);
      }}
    >
      <Search size={14} aria-hidden />
      <input
        type="search"
        value={words}
        maxLength={200}
        placeholder="Find a step…"
        aria-label="Find a step in the graph"
        autoComplete="off"
        onChange={(event) => {
          setAt(0);
          onWords(event.target.value);
        }}
      />
      <output>{words.trim() && `${count(matches.length)} found`}</output>
    </form>
  );
}

export function Toolbar(props: Props) {
  const { direction, onDirection, follow, onFollow, zoom, steps, groups, opened } = props;
  const down = direction === 'TB';
  return (
    <div className={css.toolbar}>
      <Find {...props} />
      {groups > 0 && (
        <span className={css.note}>
          {plural(steps, 'step')}, alike ones in {plural(groups, 'group')}
        </span>
      )}
      {props.onAll && groups > 0 && <Button onClick={props.onAll}>Draw every step</Button>}
      {opened && <Button onClick={props.onCollapse}>Collapse groups</Button>}
      <span className={css.tools}>
        <Button
          aria-pressed={follow}
          shortcut="f"
          title="Follow what runs"
          onClick={() => onFollow(!follow)}
        >
          <LocateFixed size={14} aria-hidden /> Follow
        </Button>
        <Button
          iconOnly
          aria-label={down ? 'Draw from left to right' : 'Draw from top to bottom'}
          title={down ? 'From left to right' : 'From top to bottom'}
          onClick={() => onDirection(down ? 'LR' : 'TB')}
        >
          {down ? <ArrowRight size={15} aria-hidden /> : <ArrowDown size={15} aria-hidden />}
        </Button>
        <Button iconOnly aria-label="Zoom out" title="Zoom out" shortcut="-" onClick={zoom.zoomOut}>
          <Minus size={15} aria-hidden />
        </Button>
        <Button
          look="ghost"
          className={css.scale}
          aria-label={`Zoom ${Math.round(zoom.scale * 100)} percent, back to 100`}
          onClick={zoom.whole}
        >
          {Math.round(zoom.scale * 100)} %
        </Button>
        <Button iconOnly aria-label="Zoom in" title="Zoom in" shortcut="+" onClick={zoom.zoomIn}>
          <Plus size={15} aria-hidden />
        </Button>
        <Button
          iconOnly
          aria-label="Fit the graph into the view"
          title="Fit"
          shortcut="0"
          onClick={zoom.fit}
        >
          <Maximize size={14} aria-hidden />
        </Button>
      </span>
    </div>
  );
}
