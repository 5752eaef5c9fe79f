import type { Bench, Part, Result, Row } from '../part.ts';
import { median, quantile } from '../quantile.ts';
import { type EventBench, startEvents } from '../start-events.ts';

const ROUNDS = 3;
const EVENTS = 2000;
/** Number of events written per second for measuring the delivery latency. */
const RATE = 50;
const RATED_EVENTS = 500;
const STUCK_APPLICATIONS = 1000;
const ENDPOINTS = 10;
/**
 * Number of applications of which one has an endpoint that never responds. Each application has ten endpoints, so 1 %
 * of all endpoints are stuck.
 */
const STUCK_OF = 10;
const STUCK_PATH = '/stuck';
const STUCK_RATE = 20;
const STUCK_EVENTS = 200;

const DATABASES = [
  { name: 'SQLite', isOnPostgres: false, figure: 'events.sqlitePerSecond' },
  { name: 'PostgreSQL, two processes', isOnPostgres: true, figure: 'events.postgresPerSecond' },
] as const;

const urlsOf = ({ origin }: EventBench, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${origin}/events/${index}`);

interface Round {
  readonly applicationIds: readonly string[];
  readonly events: number;
  /** Number of webhook requests that the endpoints must receive for the events. */
  readonly deliveries: number;
  /** Maximum number of events written per second. Default: as many as possible. */
  readonly perSecond?: number;
  /** URL path of the endpoints that do not respond in this round. */
  readonly stuckPath?: string;
}

/**
 * Writes events and waits for their webhook requests. Returns the number of events per second and percentiles of the
 * latencies, in milliseconds.
 */
async function runRound(
  { receiver, write }: EventBench,
  { applicationIds, events, deliveries, perSecond, stuckPath }: Round,
) {
  await receiver.run({ kind: 'reset', stuckPath });
  const startedAt = Date.now();
  await write(applicationIds, events, perSecond);
  const { lastAt, latencies } = await receiver.run({ kind: 'wait', count: deliveries });
  return {
    perSecond: (events * 1000) / (lastAt - startedAt),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  };
}

/**
 * Runs several rounds of events and returns the median of each figure. Each round continues with another application.
 */
async function runRounds(events: EventBench, round: Round, rounds: number) {
  const measured: Awaited<ReturnType<typeof runRound>>[] = [];
  while (measured.length < rounds) {
    const first = (measured.length * round.events) % round.applicationIds.length;
    const applicationIds = [...round.applicationIds.slice(first), ...round.applicationIds.slice(0, first)];
    measured.push(await runRound(events, { ...round, applicationIds }));
  }
  return {
    perSecond: median(measured.map(({ perSecond }) => perSecond)),
    p50Ms: median(measured.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(measured.map(({ p99Ms }) => p99Ms)),
  };
}

/**
 * Measures how many events per second are delivered to one and to ten webhook endpoints, and the delivery latency at a
 * low rate.
 */
async function measureRate(bench: Bench, { name, isOnPostgres, figure }: (typeof DATABASES)[number]) {
  const events = await startEvents(bench, isOnPostgres);
  const [count, rated, rounds] = bench.isQuick ? [40, 20, 1] : [EVENTS, RATED_EVENTS, ROUNDS];
  const rows: Row[] = [];
  const rates: number[] = [];
  for (const endpoints of [1, ENDPOINTS]) {
    const applicationIds = await events.seed(1, urlsOf(events, endpoints));
    const most = count / endpoints;
    const fast = { applicationIds, events: most, deliveries: count };
    await runRound(events, fast);
    const { perSecond } = await runRounds(events, fast, rounds);
    const slow = { applicationIds, events: rated, deliveries: rated * endpoints, perSecond: RATE };
    const { p50Ms, p99Ms } = await runRound(events, slow);
    rates.push(perSecond);
    rows.push({
      '': `${name}, endpoints: ${endpoints}`,
      'events/s': perSecond.toFixed(0),
      'deliveries/s': (perSecond * endpoints).toFixed(0),
      'p50 ms': p50Ms.toFixed(0),
      'p99 ms': p99Ms.toFixed(0),
    });
  }
  return { rows, figures: { [figure]: rates[0] ?? Number.NaN } };
}

/**
 * Measures the delivery latency with 10,000 webhook endpoints: first while all endpoints respond, and then while 1 % do
 * not.
 */
async function measureStuck(bench: Bench) {
  const events = await startEvents(bench, false);
  const [applications, count, rounds] = bench.isQuick
    ? [10, 10, 1]
    : [STUCK_APPLICATIONS, STUCK_EVENTS, ROUNDS];
  const urls = urlsOf(events, ENDPOINTS);
  const withStuck = [events.origin + STUCK_PATH, ...urls.slice(1)];
  const applicationIds: string[] = [];
  for (let added = 0; added < applications; added += STUCK_OF)
    applicationIds.push(...(await events.seed(1, withStuck)), ...(await events.seed(STUCK_OF - 1, urls)));
  const round = { applicationIds, events: count, deliveries: count * ENDPOINTS, perSecond: STUCK_RATE };
  const before = await runRounds(events, round, rounds);
  const others = { ...round, deliveries: round.deliveries - count / STUCK_OF, stuckPath: STUCK_PATH };
  const during = await runRounds(events, others, rounds);
  const rows = [
    { '': '10,000 endpoints', 'p50 ms': before.p50Ms.toFixed(0), 'p99 ms': before.p99Ms.toFixed(0) },
    {
      '': '1 % of them stuck: the others',
      'p50 ms': during.p50Ms.toFixed(0),
      'p99 ms': during.p99Ms.toFixed(0),
    },
  ];
  return { rows, figures: { 'events.stuckP99': during.p99Ms / before.p99Ms } };
}

async function run(bench: Bench): Promise<Result> {
  const results = [];
  for (const database of DATABASES) results.push(await measureRate(bench, database));
  results.push(await measureStuck(bench));
  return {
    rows: results.flatMap(({ rows }) => rows),
    figures: Object.assign({}, ...results.map(({ figures }) => figures)),
    notes: [
      `The latency is measured at ${RATE} events per second, and with 10,000 endpoints at ${STUCK_RATE}.`,
    ],
  };
}

export const events: Part = { title: 'Events: from the change to the request of the receiver', run };
