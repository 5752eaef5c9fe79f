import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { dayOf, hourOf, minuteOf } from '../words/times.ts';

type ColourToken = '--accent' | '--bad' | '--warn' | '--soft';

interface ChartLine {
  readonly title: string;
  readonly colour: ColourToken;
  readonly values: readonly (number | null)[];
  readonly isFilled?: boolean;
}

interface ChartProps {
  readonly title: string;
  /** Summary of the chart as text, for screen readers. */
  readonly summary: string;
  /** Times of the values, in epoch seconds. */
  readonly at: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly format: (value: number) => string;
}

const HEIGHT = 190;

/** Resolves a CSS colour variable to a colour, because a canvas does not support CSS variables. */
function resolve(element: HTMLElement, token: string): string {
  const probe = element.appendChild(document.createElement('i'));
  probe.style.color = `var(${token})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

const DAY = 86_400;

/** Builds the labels of a time axis: the time of day, or the date for whole days and at midnight. */
function timeLabels(times: readonly number[]): string[] {
  const isDaily = ((times[1] ?? 0) - (times[0] ?? 0)) % DAY === 0;
  return times.map((seconds) => {
    const at = new Date(seconds * 1000);
    const time = hourOf(at);
    return isDaily || time === '00:00' ? dayOf(at) : time;
  });
}

/** Finds values whose neighbours are both missing. The chart draws them as points, because no line connects them. */
const isolatedPoints = (values: ArrayLike<number | null | undefined>): number[] =>
  Array.from(values).flatMap((value, index) =>
    value != null && values[index - 1] == null && values[index + 1] == null ? [index] : [],
  );

function optionsOf(element: HTMLElement, { lines, format }: ChartProps): uPlot.Options {
  const [soft, grid] = [resolve(element, '--soft'), resolve(element, '--line')];
  const axis = { stroke: soft, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
  const formatted = (value: number | null | undefined) => (value == null ? '–' : format(value));
  return {
    width: element.clientWidth,
    height: HEIGHT,
    cursor: { drag: { x: false, y: false } },
    scales: { y: { range: (_, __, most) => [0, Math.max(1, (most ?? 0) * 1.1)] } },
    axes: [
      { ...axis, values: (_, times) => timeLabels(times) },
      { ...axis, size: 64, values: (_, splits) => splits.map(format) },
    ],
    series: [
      { value: (_, at) => (at == null ? '–' : minuteOf(new Date(at * 1000))) },
      ...lines.map(({ title, colour, isFilled }) => {
        const stroke = resolve(element, colour);
        return {
          label: title,
          stroke,
          width: 2,
          spanGaps: false,
          points: { filter: (plot: uPlot, line: number) => isolatedPoints(plot.data[line] ?? []) },
          value: (_: uPlot, value: number | null) => formatted(value),
          ...(isFilled && {
            fill: stroke.replace(/\)$/, ' / 0.15)').replace(/^rgb\((\d+), (\d+), (\d+)/, 'rgb($1 $2 $3'),
          }),
        };
      }),
    ],
  };
}

const dataOf = ({ at, lines }: ChartProps): uPlot.AlignedData => [
  [...at],
  ...lines.map(({ values }) => [...values]),
];

/** Calls `draw` when the colour scheme changes. Returns a function that stops these calls. */
function onTheme(draw: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const observer = new MutationObserver(draw);
  system.addEventListener('change', draw);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', draw);
    observer.disconnect();
  };
}

/**
 * Draws a chart until `signal` is aborted. Returns a function that updates the chart's data. uPlot is loaded on first
 * use.
 */
async function drawChart(element: HTMLElement, latest: () => ChartProps, signal: AbortSignal) {
  const [{ default: Plot }] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]);
  if (signal.aborted) return undefined;
  let plot: uPlot | undefined;
  const draw = () => {
    plot?.destroy();
    plot = new Plot(optionsOf(element, latest()), dataOf(latest()), element);
  };
  draw();
  const stopTheme = onTheme(draw);
  const sizes = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT }));
  sizes.observe(element);
  signal.addEventListener('abort', () => {
    stopTheme();
    sizes.disconnect();
    plot?.destroy();
  });
  return () => plot?.setData(dataOf(latest()));
}

/**
 * Line chart over time. The page must also show its numbers as a table, because screen readers cannot read the chart.
 */
export function Chart(props: ChartProps) {
  const container = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  const update = useRef<(() => void) | undefined>(undefined);
  latest.current = props;
  useEffect(() => {
    const aborter = new AbortController();
    if (container.current)
      drawChart(container.current, () => latest.current, aborter.signal).then((next) => {
        update.current = next;
      });
    return () => aborter.abort();
  }, []);
  useEffect(() => update.current?.(), [props.at, props.lines]);
  return (
    <figure class="chart">
      <figcaption>{props.title}</figcaption>
      <div ref={container} role="img" aria-label={`${props.title}: ${props.summary}`} />
    </figure>
  );
}
