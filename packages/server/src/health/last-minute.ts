type Counts = Readonly<Record<string, number>>;

/** Interval in milliseconds between two samples of the counters. */
export const SAMPLE_MS = 5000;
const SAMPLES = 12;

/**
 * Creates the functions that measure how much counters have grown within the last minute. The caller must call `sample`
 * every `SAMPLE_MS`.
 */
export function createLastMinute(readCounts: () => Counts) {
  const samples: Counts[] = [];

  function sample(): void {
    samples.push(readCounts());
    if (samples.length > SAMPLES) samples.shift();
  }

  function read(): Counts {
    const [oldest = {}] = samples.length < SAMPLES ? [] : samples;
    const growth = Object.entries(readCounts()).map(([name, count]) => [name, count - (oldest[name] ?? 0)]);
    return Object.fromEntries(growth);
  }

  return { sample, read };
}
