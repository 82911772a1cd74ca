import { type RefObject, useEffect, useRef, useState } from 'react';

const SMALLEST = 0.2;
const LARGEST = 1.6;
const STEP = 1.25;

const within = (scale: number) => Math.min(Math.max(scale, SMALLEST), LARGEST);

/** Zoom of what scrolls in `box`; the middle of the view stays where it is. */
export function useZoom(
  box: RefObject<HTMLElement | null>,
  size: { width: number; height: number } | undefined,
) {
  const [scale, setScale] = useState(1);
  const middle = useRef<{ x: number; y: number } | null>(null);
  const to = (next: number) => {
    const view = box.current;
    if (view) {
      middle.current = {
        x: (view.scrollLeft + view.clientWidth / 2) / scale,
        y: (view.scrollTop + view.clientHeight / 2) / scale,
      };
    }
    setScale(within(next));
  };
  useEffect(() => {
    const view = box.current;
    const point = middle.current;
    if (!view || !point) return;
    view.scrollLeft = point.x * scale - view.clientWidth / 2;
    view.scrollTop = point.y * scale - view.clientHeight / 2;
  }, [scale, box]);
  return {
    scale,
    zoomIn: () => to(scale * STEP),
    zoomOut: () => to(scale / STEP),
    whole: () => to(1),
    fit: () => {
      const view = box.current;
      if (!view || !size) return;
      to(Math.min(view.clientWidth / size.width, view.clientHeight / size.height, 1));
    },
  };
}
