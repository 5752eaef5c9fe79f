import { useRef, useState } from 'preact/hooks';
import { minuteOf } from '../words/times.ts';

export interface StripStep {
  /** Start of the time step, in ISO 8601. */
  readonly at: string;
  readonly calls: number;
  readonly errors: number;
}

interface StripProps {
  /** Summary of the chart as text, for screen readers. */
  readonly summary: string;
  readonly steps: readonly StripStep[];
  readonly stepMs: number;
  /** Called with the time range that the user selected by dragging. */
  readonly onRange: (from: Date, to: Date) => void;
}

interface Selection {
  readonly from: number;
  readonly to: number;
}

const WIDTH = 1000;
const HEIGHT = 60;
/** Minimum width of a selection, as a fraction of the chart's width. A shorter drag counts as a click. */
const LEAST = 0.005;

const heightOf = (count: number, most: number): number =>
  count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT);

function Bars({ steps }: Pick<StripProps, 'steps'>) {
  const most = Math.max(1, ...steps.map(({ calls }) => calls));
  const width = WIDTH / Math.max(1, steps.length);
  return (
    <>
      {steps.map(({ at, calls, errors }, index) => {
        const [all, failed] = [heightOf(calls, most), heightOf(errors, most)];
        const place = { x: index * width, width: width * 0.85 };
        return calls === 0 ? null : (
          <g key={at}>
            <rect class="calls" {...place} y={HEIGHT - all} height={all} />
            <rect class="failed" {...place} y={HEIGHT - failed} height={failed} />
          </g>
        );
      })}
    </>
  );
}

/**
 * Bar chart of calls over time, 80 pixels high. Dragging selects a time range. Keyboard users can use the fields of the
 * time filter instead.
 */
export function Strip({ summary, steps, stepMs, onRange }: StripProps) {
  const area = useRef<SVGSVGElement>(null);
  const [selection, setSelection] = useState<Selection>();
  const start = Date.parse(steps[0]?.at ?? '');
  const partOf = ({ clientX }: PointerEvent): number => {
    const { left = 0, width = 1 } = area.current?.getBoundingClientRect() ?? {};
    return Math.min(1, Math.max(0, (clientX - left) / width));
  };
  const timeAt = (part: number) => new Date(start + Math.round(part * steps.length) * stepMs);
  const end = () => {
    setSelection(undefined);
    if (selection === undefined || Math.abs(selection.to - selection.from) < LEAST) return;
    const [from, to] = [Math.min(selection.from, selection.to), Math.max(selection.from, selection.to)];
    const first = Math.floor(from * steps.length) / steps.length;
    const last = Math.ceil(to * steps.length) / steps.length;
    onRange(timeAt(first), timeAt(last));
  };
  const last = steps.at(-1);
  return (
    <figure class="strip">
      <svg
        ref={area}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          const part = partOf(event);
          setSelection({ from: part, to: part });
        }}
        onPointerMove={(event) => selection && setSelection({ ...selection, to: partOf(event) })}
        onPointerUp={end}
        onPointerCancel={() => setSelection(undefined)}
      >
        <Bars steps={steps} />
        {selection && (
          <rect
            class="selection"
            x={Math.min(selection.from, selection.to) * WIDTH}
            width={Math.abs(selection.to - selection.from) * WIDTH}
            y="0"
            height={HEIGHT}
          />
        )}
      </svg>
      {last && (
        <figcaption>
          <span>{minuteOf(new Date(start))}</span>
          <span class="hint">Drag to select a time range</span>
          <span>{minuteOf(new Date(Date.parse(last.at) + stepMs))}</span>
        </figcaption>
      )}
    </figure>
  );
}
