import { expect } from 'vitest';

/** Sample of a scrape. `labels` contains the label pairs without escapes. */
export interface Scraped {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = /^[a-z_][a-z0-9_]*$/;
const SAMPLE = /^([a-z_][a-z0-9_]*)(?:\{(.+)\})? (-?[0-9.]+(?:e[+-]?[0-9]+)?|NaN|[+-]Inf)$/;
const PAIR = /([a-z_][a-z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,(?=[a-z_])|$)/y;
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: [''],
  gauge: [''],
  summary: [''],
  histogram: ['_bucket', '_sum', '_count'],
};
const UNESCAPED: Readonly<Record<string, string>> = { '\\n': '\n', '\\"': '"', '\\\\': '\\' };

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < text.length) {
    const at = PAIR.lastIndex;
    const [, name = '', value = ''] = PAIR.exec(text) ?? [];
    if (name === '' || name in labels) throw new Error(`Invalid labels at ${at}: ${text}`);
    labels[name] = value.replaceAll(/\\./g, (escaped) => UNESCAPED[escaped] ?? '');
  }
  return labels;
}

function parseSample(line: string): Scraped {
  const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
  if (name === '') throw new Error(`Invalid sample: ${line}`);
  return { name, labels: parseLabels(labels), value: Number(value.replace('Inf', 'Infinity')) };
}

/** Checks that the buckets of a histogram grow, end with +Inf, and agree with its count. */
function checkHistogram(samples: readonly Scraped[], name: string): void {
  const keyOf = ({ le: _, ...labels }: Scraped['labels']) => JSON.stringify(labels);
  const buckets = Map.groupBy(
    samples.filter((sample) => sample.name === `${name}_bucket`),
    ({ labels }) => keyOf(labels),
  );
  const counts = samples.filter((sample) => sample.name === `${name}_count`);
  expect(counts.map(({ labels }) => keyOf(labels))).toEqual([...buckets.keys()]);
  for (const { labels, value } of counts) {
    const own = buckets.get(keyOf(labels)) ?? [];
    const bounds = own.map((bucket) => Number(bucket.labels['le']?.replace('+Inf', 'Infinity')));
    expect(bounds).toEqual(bounds.toSorted((one, other) => one - other));
    expect(own.map((bucket) => bucket.value)).toEqual(
      own.map((bucket) => bucket.value).toSorted((one, other) => one - other),
    );
    expect([bounds.at(-1), own.at(-1)?.value]).toEqual([Number.POSITIVE_INFINITY, value]);
  }
}

interface Metric {
  readonly name: string;
  readonly kind: string;
}

/** Checks the lines `# HELP` and `# TYPE` that describe a metric, and returns the metric. */
function parseHead(help: string, type: string): Metric {
  const [, name = ''] = /^# HELP (\S+) \S.*$/.exec(help) ?? [];
  expect(name, help).toMatch(NAME);
  const [, typed = '', kind = ''] = /^# TYPE (\S+) (counter|gauge|summary|histogram)$/.exec(type) ?? [];
  expect(typed, type).toBe(name);
  expect(kind === 'counter', `only counters end with _total: ${name}`).toBe(name.endsWith('_total'));
  return { name, kind };
}

/**
 * Parses the text format of Prometheus, version 0.0.4, more strictly than Prometheus does. Throws at the first line
 * that breaks a rule.
 */
export function parseMetrics(text: string): readonly Scraped[] {
  expect(text.endsWith('\n'), 'the text ends with a line break').toBe(true);
  const blocks = text.split(/^(?=# HELP )/m).map((block) => block.trimEnd().split('\n'));
  const names = blocks.map(([help = '', type = '']) => parseHead(help, type).name);
  expect(new Set(names).size, 'each metric is described once').toBe(names.length);
  const keys = text.split('\n').map((line) => line.slice(0, line.lastIndexOf(' ')));
  expect(keys.filter((key, index) => key !== '' && keys.indexOf(key) !== index)).toEqual([]);
  return blocks.flatMap(([help = '', type = '', ...lines]) => {
    const { name, kind } = parseHead(help, type);
    const samples = lines.map(parseSample);
    const allowed = (SUFFIXES[kind] ?? []).map((suffix) => name + suffix);
    expect(samples.filter((sample) => !allowed.includes(sample.name))).toEqual([]);
    expect(samples, `${name} has samples`).not.toEqual([]);
    const isSummary = samples.every(({ labels }) => 'quantile' in labels);
    expect(isSummary, `only summaries have quantiles: ${name}`).toBe(kind === 'summary');
    if (kind === 'histogram') checkHistogram(samples, name);
    return samples;
  });
}

/** Returns the sum of the samples of a metric that have these labels. */
export const sumOf = (
  samples: readonly Scraped[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number =>
  samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([key, value]) => sample.labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0);
