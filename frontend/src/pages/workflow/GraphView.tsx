import { type KeyboardEvent, memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Graph } from '../../api/workflows';
import { useShortcut } from '../../shell/shortcuts';
import { Skeleton } from '../../ui/states';
import { type Box, criticalEdges, drawing, MAX_BOXES } from './drawing';
import css from './graph.module.css';
import type { Direction } from './layout';
import { Node } from './Node';
import { Toolbar } from './Toolbar';
import { useLayout } from './useLayout';
import { useZoom } from './useZoom';
import { neighbour, stepOf } from './walk';

/** Dashes cost most of the painting; beyond this many edges none is dashed. */
const MOST_DASHED = 200;

const Edge = memo(function Edge(props: { path: string; open: boolean; critical: boolean }) {
  return <path d={props.path} data-open={props.open} data-critical={props.critical} />;
});

interface Props {
  graph: Graph;
  /** The step that is open. */
  step: string | null;
  onOpen: (step: string) => void;
}

export function GraphView({ graph, step, onOpen }: Props) {
  const [direction, setDirection] = useState<Direction>('LR');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [all, setAll] = useState(false);
  const [focus, setFocus] = useState<string | null>(null);
  const [words, setWords] = useState('');
  const [follow, setFollow] = useState(false);
  const view = useRef<HTMLElement>(null);
  const drawn = useMemo(() => drawing(graph, open, all), [graph, open, all]);
  const layout = useLayout(drawn, direction);
  const zoom = useZoom(view, layout);

  const places = layout?.places;
  const boxes = useMemo(
    () =>
      drawn.boxes
        .flatMap((box) => {
          const place = places?.get(box.key);
          return place ? [{ box, place }] : [];
        })
        // The order in which they are read and reached: as the graph runs.
        .sort((a, b) =>
          direction === 'LR'
            ? a.place.x - b.place.x || a.place.y - b.place.y
            : a.place.y - b.place.y || a.place.x - b.place.x,
        ),
    [drawn, places, direction],
  );
  const critical = useMemo(() => new Set(graph.critical_path), [graph.critical_path]);
  const critically = (box: Box) => box.steps.some(({ job }) => critical.has(job));
  const hops = useMemo(() => criticalEdges(graph.critical_path, drawn), [graph, drawn]);
  const stateOf = useMemo(() => new Map(drawn.boxes.map((box) => [box.key, box])), [drawn]);
  const wanted = words.trim().toLowerCase();
  const matches = wanted
    ? boxes.filter(({ box }) => box.steps.some((s) => s.step.toLowerCase().includes(wanted)))
    : [];
  const matching = new Set(matches.map(({ box }) => box.key));

  const reach = useCallback((key: string) => {
    const node = view.current?.querySelector<HTMLElement>(`[data-key="${key}"]`);
    node?.focus({ preventScroll: true });
    node?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, []);
  const press = useCallback(
    (box: Box) => {
      const [first] = box.steps;
      if (box.steps.length > 1) setOpen((before) => new Set([...before, box.key]));
      else if (first) onOpen(first.step);
    },
    [onOpen],
  );
  const walk = (event: KeyboardEvent) => {
    const key = (event.target as HTMLElement).dataset.key;
    const way = stepOf(event.key, direction);
    if (!key || !way || !layout || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = neighbour(layout, key, way, direction);
    if (next) reach(next);
  };
  const running = boxes.find(({ box }) => box.steps.some(({ status }) => status === 'running'));
  const followed = follow ? (running?.box.key ?? null) : null;
  useEffect(() => {
    if (followed === null) return;
    view.current
      ?.querySelector(`[data-key="${followed}"]`)
      ?.scrollIntoView({ block: 'center', inline: 'center' });
  }, [followed]);
  useShortcut('f', 'Follow what runs', () => setFollow(!follow));
  useShortcut('+', 'Zoom in', zoom.zoomIn);
  useShortcut('-', 'Zoom out', zoom.zoomOut);
  useShortcut('0', 'Fit the graph', zoom.fit);

  const dashed = drawn.edges.length <= MOST_DASHED;
  const reachable = focus !== null && places?.has(focus) ? focus : boxes[0]?.box.key;
  return (
    <div className={css.graph}>
      <Toolbar
        words={words}
        matches={matches.map(({ box }) => box.key)}
        onWords={setWords}
        onMatch={reach}
        direction={direction}
        onDirection={setDirection}
        follow={follow}
        onFollow={setFollow}
        zoom={zoom}
        groups={drawn.boxes.filter(({ steps }) => steps.length > 1).length}
        opened={open.size > 0 || all}
        steps={graph.nodes.length}
        onAll={graph.nodes.length > MAX_BOXES ? () => setAll(true) : undefined}
        onCollapse={() => {
          setOpen(new Set());
          setAll(false);
        }}
      />
      {layout ? (
        <section
          ref={view}
          className={css.view}
          aria-label="Graph. Arrow keys go to parents, children and neighbours, Enter opens a step."
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
          tabIndex={0}
          onKeyDown={walk}
        >
          <div style={{ width: layout.width * zoom.scale, height: layout.height * zoom.scale }}>
            <div
              className={css.sheet}
              style={{
                width: layout.width,
                height: layout.height,
                transform: `scale(${zoom.scale})`,
              }}
            >
              <svg
                width={layout.width}
                height={layout.height}
                className={css.edges}
                data-dashed={dashed}
                aria-hidden="true"
              >
                {layout.edges.map(({ key, from, path }) => {
                  const above = stateOf.get(from);
                  return (
                    <Edge
                      key={key}
                      path={path}
                      open={above?.steps.some(({ status }) => status !== 'succeeded') ?? true}
                      critical={hops.has(key)}
                    />
                  );
                })}
              </svg>
              {boxes.map(({ box, place }) => (
                <Node
                  key={box.key}
                  box={box}
                  place={place}
                  critical={critically(box)}
                  chosen={box.steps.length === 1 && box.steps[0]?.step === step}
                  found={matching.has(box.key)}
                  reachable={box.key === reachable}
                  onPress={press}
                  onFocus={setFocus}
                />
              ))}
            </div>
          </div>
        </section>
      ) : (
        <div className={css.view}>
          <Skeleton lines={9} />
        </div>
      )}
    </div>
  );
}
