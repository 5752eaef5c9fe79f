import { isObject } from '../../../json.js';
import { type Actor, fullName, inputSchemaOf } from '../actor.js';
import { findActor, searchActors } from '../actors.js';
import { restListedRun, restRun } from '../present-run.js';
import { logOf } from '../run-log.js';
import type { Run } from '../runs.js';
import { sendItems } from './datasets.js';
import {
  type Endpoint,
  invalid,
  listPage,
  orNotFound,
  type RestCall,
  RestError,
  readCount,
  readFlag,
} from './endpoint.js';

const MOST_WAITED_SECONDS = 60;

const actorOf = ({ part }: RestCall): Actor =>
  orNotFound(findActor(part('actor').replace('~', '/')), 'Actor');

const DATES = { createdAt: '2024-01-01T00:00:00.000Z', modifiedAt: '2026-01-01T00:00:00.000Z' };

const statsOf = ({ totalUsers }: Actor) => ({
  ...{ totalBuilds: 1, totalRuns: totalUsers * 10, totalMetamorphs: 0 },
  ...{ totalUsers, totalUsers7Days: 0, totalUsers30Days: 0, totalUsers90Days: totalUsers },
  lastRunStartedAt: DATES.modifiedAt,
});

const listedActor = ({ id, name, username }: Actor) => ({ id, ...DATES, name, username });

const presentActor = (actor: Actor) => ({
  ...listedActor(actor),
  userId: `user-${actor.username}`,
  title: actor.title,
  description: actor.description,
  isPublic: true,
  isDeprecated: false,
  stats: statsOf(actor),
  versions: [],
  defaultRunOptions: { build: 'latest', timeoutSecs: 3600, memoryMbytes: 4096 },
  taggedBuilds: {},
  deploymentKey: '',
  actorPermissionLevel: 'LIMITED_PERMISSIONS',
});

const storeCard = (actor: Actor) => {
  const { id, name, username, title, description, stats } = presentActor(actor);
  return {
    id,
    name,
    username,
    title,
    description,
    stats,
    categories: actor.categories,
    currentPricingInfo: { pricingModel: 'FREE' },
    url: `https://apify.com/${fullName(actor)}`,
  };
};

function startRun(call: RestCall) {
  const actor = actorOf(call);
  if (actor.refusal !== undefined) throw new RestError(403, 'actor-cannot-be-run', actor.refusal);
  const input = call.json() ?? {};
  if (!isObject(input)) throw invalid('The input has to be an object.');
  if (actor.input.safeParse(input).error !== undefined)
    throw new RestError(400, 'invalid-input', `Input is not valid: ${JSON.stringify(inputSchemaOf(actor))}`);
  const memory = readCount(call, 'memory', 4096);
  if (memory < 128 || memory > 32_768 || (memory & (memory - 1)) !== 0)
    throw invalid('Parameter memory has to be a power of 2 from 128 to 32768.');
  const maxItems = call.query.has('maxItems') ? readCount(call, 'maxItems', 0) : undefined;
  const run = call.account.start(actor, input, { memory, timeout: readCount(call, 'timeout', 0), maxItems });
  call.reply.code(201);
  return waited(call, run);
}

function waited(call: RestCall, run: Run) {
  const seconds = readCount(call, 'waitForFinish', 0);
  call.account.wait(run, Math.min(seconds, MOST_WAITED_SECONDS));
  return { data: restRun(call.account, run) };
}

const runOf = ({ account, part }: RestCall): Run => orNotFound(account.run(part('run')), 'Actor run');

const runsOf = ({ account }: RestCall, actor?: Actor) =>
  account.runs().filter((run) => actor === undefined || run.actor === actor);

const presentRun = (call: RestCall) => (run: Run) => restListedRun(call.account, run);

function lastRun(call: RestCall): Run {
  const status = call.query.get('status');
  const hasStatus = (run: Run) => status === null || call.account.status(run) === status;
  return orNotFound(runsOf(call, actorOf(call)).findLast(hasStatus), 'Actor run');
}

function abortRun(call: RestCall) {
  const run = runOf(call);
  call.account.abort(run, readFlag(call, 'gracefully'));
  return { data: restRun(call.account, run) };
}

function sendLog(call: RestCall, run: Run) {
  call.reply.type('text/plain; charset=utf-8');
  return logOf(call.account, run);
}

const ofActors = (base: string): readonly Endpoint[] => [
  ['GET', base, (call) => listPage(call, [...new Set(runsOf(call).map(({ actor }) => actor))], listedActor)],
  ['GET', `${base}/:actor`, (call) => ({ data: presentActor(actorOf(call)) })],
  ['GET', `${base}/:actor/runs`, (call) => listPage(call, runsOf(call, actorOf(call)), presentRun(call))],
  ['POST', `${base}/:actor/runs`, startRun],
  ['GET', `${base}/:actor/runs/last`, (call) => waited(call, lastRun(call))],
];

export const runEndpoints: readonly Endpoint[] = [
  ...ofActors('/actors'),
  ...ofActors('/acts'),
  ['GET', '/actor-runs', (call) => listPage(call, runsOf(call), presentRun(call))],
  ['GET', '/actor-runs/:run', (call) => waited(call, runOf(call))],
  ['POST', '/actor-runs/:run/abort', abortRun],
  ['GET', '/actor-runs/:run/log', (call) => sendLog(call, runOf(call))],
  ['GET', '/logs/:run', (call) => sendLog(call, runOf(call))],
  [
    'GET',
    '/actor-runs/:run/dataset/items',
    (call) => sendItems(call, call.account.items(runOf(call).datasetId) ?? []),
  ],
  ['GET', '/store', (call) => listPage(call, searchActors(call.query.get('search') ?? ''), storeCard)],
];
