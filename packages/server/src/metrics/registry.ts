/** Time series of a counter or gauge. Callers change `value` directly, which allocates nothing. */
export interface Series {
  value: number;
}

/** Time series of a histogram. `observe` allocates nothing. */
export interface Histogram {
  observe(value: number): void;
}

/**
 * Label values and value of one time series that is read when the metrics are scraped. `labels` has one text for each
 * label name.
 */
export interface Sample {
  readonly labels?: readonly string[];
  readonly value: number;
}

export interface MetricOptions {
  /** Name in the conventions of Prometheus, such as `svc_http_requests_total`. */
  readonly name: string;
  readonly help: string;
  /** Names of the labels. Default: none. */
  readonly labels?: readonly string[];
}

export interface HistogramOptions extends MetricOptions {
  /** Upper bounds of the buckets in ascending order, without infinity. */
  readonly bounds: readonly number[];
}

export interface ReadOptions extends MetricOptions {
  readonly kind: 'counter' | 'gauge' | 'summary';
  /** Returns the current values. The metric is left out of a scrape if there are none. */
  readonly read: () => readonly Sample[];
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

const escapeLabel = (text: string): string => text.replaceAll(/[\\"\n]/g, (sign) => ESCAPES[sign] ?? sign);

const pairsOf = (names: readonly string[], values: readonly string[]): readonly string[] =>
  names.map((name, index) => `${name}="${escapeLabel(values[index] ?? '')}"`);

const series = (name: string, pairs: readonly string[]): string =>
  pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`;

function textOf(value: number): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}

/** Creates the registry of one process's metrics, which writes them in Prometheus' text format, version 0.0.4. */
export function createRegistry() {
  const metrics: (() => string)[] = [];

  function addMetric({ name, help }: MetricOptions, kind: string, lines: () => readonly string[]): void {
    const head = `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n`;
    metrics.push(() => {
      const body = lines();
      return body.length === 0 ? '' : `${head}${body.join('\n')}\n`;
    });
  }

  /**
   * Adds a counter. The returned function adds a time series with the given label values. Call it only once for the
   * same values.
   */
  function counter(options: MetricOptions): (...values: readonly string[]) => Series {
    const all: { readonly head: string; readonly counted: Series }[] = [];
    addMetric(options, 'counter', () => all.map(({ head, counted }) => `${head} ${textOf(counted.value)}`));
    return (...values) => {
      const counted = { value: 0 };
      all.push({ head: series(options.name, pairsOf(options.labels ?? [], values)), counted });
      return counted;
    };
  }

  /** Adds a histogram. The returned function adds a time series with the given label values. */
  function histogram(options: HistogramOptions): (...values: readonly string[]) => Histogram {
    const { name, labels = [], bounds } = options;
    const all: (() => readonly string[])[] = [];
    addMetric(options, 'histogram', () => all.flatMap((lines) => lines()));
    return (...values) => {
      const pairs = pairsOf(labels, values);
      const heads = [...bounds.map(textOf), '+Inf'].map((le) =>
        series(`${name}_bucket`, [...pairs, `le="${le}"`]),
      );
      const counts = new Float64Array(heads.length);
      let sum = 0;
      all.push(() => {
        let total = 0;
        const buckets = heads.map((head, index) => {
          total += counts[index] ?? 0;
          return `${head} ${total}`;
        });
        return [
          ...buckets,
          `${series(`${name}_sum`, pairs)} ${textOf(sum)}`,
          `${series(`${name}_count`, pairs)} ${total}`,
        ];
      });
      return {
        observe: (value) => {
          let index = 0;
          while (index < bounds.length && value > (bounds[index] ?? 0)) index += 1;
          counts[index] = (counts[index] ?? 0) + 1;
          sum += value;
        },
      };
    };
  }

  /** Adds a metric whose values are read at scrape time. */
  function readAtScrape(options: ReadOptions): void {
    const { name, labels = [], kind, read } = options;
    addMetric(options, kind, () =>
      read().map((sample) => `${series(name, pairsOf(labels, sample.labels ?? []))} ${textOf(sample.value)}`),
    );
  }

  return { counter, histogram, readAtScrape, text: (): string => metrics.map((metric) => metric()).join('') };
}

export type Registry = ReturnType<typeof createRegistry>;
