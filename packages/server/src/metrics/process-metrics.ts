import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { ReadOptions, Registry, Sample } from './registry.js';

const MICROSECONDS = 1e6;
const DELAY_RESOLUTION_MS = 20;
const QUANTILES = [0.5, 0.99, 1];

/** Counts the open files of the process. Returns no value on systems without /proc. */
function readOpenFiles(): readonly Sample[] {
  try {
    return [{ value: readdirSync('/proc/self/fd').length }];
  } catch {
    return [];
  }
}

function readMemory(): readonly Sample[] {
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return [
    { labels: ['heap'], value: heapUsed },
    { labels: ['external'], value: external },
    { labels: ['array_buffers'], value: arrayBuffers },
  ];
}

/**
 * Measures the delay of the event loop between two scrapes. Node.js includes its sampling interval in each delay, so
 * the interval is subtracted.
 */
function createReadDelay(): { readonly read: () => readonly Sample[]; readonly stop: () => void } {
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delay.enable();
  return {
    read: () => {
      const samples = QUANTILES.map((quantile) => {
        const measured = quantile === 1 ? delay.max : delay.percentile(quantile * 100);
        const ms = Math.max(0, measured / MICROSECONDS - DELAY_RESOLUTION_MS);
        return { labels: [String(quantile)], value: delay.count === 0 ? 0 : ms / 1000 };
      });
      delay.reset();
      return samples;
    },
    stop: () => void delay.disable(),
  };
}

/** Metrics whose values Node.js and the system know. */
const MEASURED: readonly ReadOptions[] = [
  {
    name: 'process_start_time_seconds',
    kind: 'gauge',
    help: 'Start of the process in seconds since 1970.',
    read: () => [{ value: Math.round(performance.timeOrigin) / 1000 }],
  },
  {
    name: 'process_cpu_seconds_total',
    kind: 'counter',
    help: 'CPU time of the process.',
    read: () => {
      const { user, system } = process.cpuUsage();
      return [{ value: (user + system) / MICROSECONDS }];
    },
  },
  {
    name: 'process_resident_memory_bytes',
    kind: 'gauge',
    help: 'Resident memory of the process.',
    read: () => [{ value: process.memoryUsage.rss() }],
  },
  {
    name: 'process_open_fds',
    kind: 'gauge',
    help: 'Open files and sockets of the process.',
    read: readOpenFiles,
  },
  {
    name: 'svc_memory_bytes',
    kind: 'gauge',
    help: 'Memory of JavaScript objects and buffers, by kind.',
    labels: ['kind'],
    read: readMemory,
  },
  {
    name: 'svc_event_loop_active_seconds_total',
    kind: 'counter',
    help: 'Time in which the event loop was not idle. Its rate is the utilization.',
    read: () => [{ value: performance.eventLoopUtilization().active / 1000 }],
  },
];

/** Adds the metrics of the process. Returns the function that ends their measurements. */
export function addProcessMetrics({ readAtScrape }: Registry, version: string): () => void {
  const delay = createReadDelay();
  readAtScrape({
    name: 'svc_build_info',
    kind: 'gauge',
    help: 'Version of the service and of Node.js; the value is always 1.',
    labels: ['version', 'node'],
    read: () => [{ labels: [version, process.version], value: 1 }],
  });
  for (const metric of MEASURED) readAtScrape(metric);
  readAtScrape({
    name: 'svc_event_loop_delay_seconds',
    // Prometheus reserves the label `quantile` for summaries.
    kind: 'summary',
    help: 'Delay of the event loop since the last scrape, by quantile.',
    labels: ['quantile'],
    read: delay.read,
  });
  return delay.stop;
}
