import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@svc/core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Fleet, startFleet } from '../support/processes/fleet.js';
import { KILL_POINTS, type KillPoint, UPSTREAMS, type Upstream } from '../support/processes/kill-points.js';
import type { ServiceProcess } from '../support/processes/service-process.js';
import { rounds } from '../support/runner/rounds.js';
import {
  type Application,
  clientOf,
  connectToSandbox,
  type Reply,
  signIn,
} from '../support/service/application.js';
import { connectAccount } from '../support/service/service.js';

// Accounts of each upstream in one kill. Two upstreams make 6, the most that a process with 20 connections refreshes at
// once.
const BATCH_SIZE = 3;
// Killed refreshes at each kill point and upstream. Full runs have 99, so 198 at each kill point.
const RUNS = rounds(99, BATCH_SIZE);
const CALLS = 3;

/** An account whose refresh was under way when the process was killed. */
interface Run {
  readonly point: KillPoint;
  readonly upstream: Upstream;
  readonly accountId: string;
  /** Refresh tokens that the upstream issued, oldest first. */
  readonly refreshTokens: readonly string[];
}

/** State of an account after its service process was killed in a refresh and another process has used the account. */
interface Outcome {
  /**
   * Number of token requests for the account until another process was called. `requests` also counts the later token
   * requests.
   */
  readonly tokenRequests: number;
  readonly requests: number;
  /** True if a call of the account received Retry-After and was repeated. */
  readonly hasWaited: boolean;
  /** Statuses of the calls after the wait for `Retry-After`. */
  readonly replies: readonly number[];
  readonly account: { readonly status: string; readonly statusReason?: string };
}

const ends: (() => void | Promise<void>)[] = [];
const outcomes = new Map<string, Outcome[]>();
const keyOf = ({ point, upstream }: Pick<Run, 'point' | 'upstream'>) => `${upstream.id} ${point.title}`;

const refreshTokenIn = (json: string): string | undefined => /"refresh_token":\s*"([^"]+)"/.exec(json)?.[1];

const spentBy = (sent: string): string | null =>
  sent.startsWith('{') ? (refreshTokenIn(sent) ?? null) : new URLSearchParams(sent).get('refresh_token');

function runningOf({ services: [service] }: Fleet): ServiceProcess {
  if (service === undefined) throw new Error('There is no process.');
  return service;
}

/** Counts the token requests of the account that its upstream received. */
function countRequests({ gate }: Fleet, { refreshTokens }: Run): number {
  const own = new Set<string | null>(refreshTokens);
  const requests = gate.exchanges.filter(({ path, sent, received }) => {
    if (!path.endsWith('/token') || !own.has(spentBy(sent))) return false;
    const given = refreshTokenIn(received);
    if (given !== undefined) own.add(given);
    return true;
  });
  return requests.length;
}

async function inBatches<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += BATCH_SIZE)
    results.push(...(await Promise.all(items.slice(from, from + BATCH_SIZE).map(work))));
  return results;
}

const callTool = ({ call }: Application, { upstream, accountId }: Run): Promise<Reply> =>
  call('POST', `/v1/tools/${upstream.toolName}/execute`, {
    body: { connectedAccountId: accountId, toolInput: {} },
  });

async function connectRun(svc: Client, { gate }: Fleet, run: Pick<Run, 'point' | 'upstream'>, name: string) {
  const { id: accountId } = await connectAccount({ svc }, run.upstream.id, name);
  const first = refreshTokenIn(gate.exchanges.at(-1)?.received ?? '');
  if (first === undefined) throw new Error('The approval gave no refresh token.');
  return { ...run, accountId, refreshTokens: [first] };
}

/** Kills the process during the refreshes of these accounts, and starts another process on the database. */
async function killAt(point: KillPoint, fleet: Fleet, runs: readonly Run[]): Promise<void> {
  const service = runningOf(fleet);
  const application = await signIn(service);
  const { paused, cleanUp, release } = await point.pause(fleet, BATCH_SIZE);
  const calls = runs.map((run) => expect(callTool(application, run)).rejects.toThrow('fetch failed'));
  await Promise.all([...calls, paused.then(service.kill)]);
  await cleanUp?.();
  await fleet.crash();
  release?.();
}

/**
 * Calls and obeys Retry-After, because the service waits until no other process on the database can still be refreshing
 * the token.
 */
async function callPatiently(application: Application, runs: readonly Run[]) {
  const first = await inBatches(runs, (run) => callTool(application, run));
  const waits = first.map((reply) =>
    reply.status === 503
      ? reply.json<{ error: { details: { retryAfter: number } } }>().error.details.retryAfter
      : 0,
  );
  await wait(Math.max(...waits) * 1000);
  return inBatches([...runs.entries()], async ([index, run]) => {
    const hasWaited = first[index]?.status === 503;
    const reply = hasWaited ? await callTool(application, run) : first[index];
    return { hasWaited, status: reply?.status ?? 0 };
  });
}

async function lookAt(fleet: Fleet, runs: readonly Run[]): Promise<void> {
  const application = await signIn(runningOf(fleet));
  const tokenRequests = runs.map((run) => countRequests(fleet, run));
  const first = await callPatiently(application, runs);
  await inBatches([...runs.entries()], async ([index, run]) => {
    const { hasWaited = false, status = 0 } = first[index] ?? {};
    const replies = [status];
    while (replies.length < CALLS) replies.push((await callTool(application, run)).status);
    const { status: state, statusReason } = (
      await application.call('GET', `/v1/accounts/${run.accountId}`)
    ).json<Outcome['account']>();
    const account = { status: state, ...(statusReason !== undefined && { statusReason }) };
    const requests = countRequests(fleet, run);
    const outcome = { tokenRequests: tokenRequests[index] ?? 0, requests, hasWaited, replies, account };
    outcomes.set(keyOf(run), [...(outcomes.get(keyOf(run)) ?? []), outcome]);
  });
}

/**
 * Connects all accounts before the first kill, so that refreshed tokens are still valid when `lookAt` calls with them.
 */
async function runRound(fleet: Fleet, svc: Client, round: number): Promise<void> {
  const runs: Run[] = [];
  const combinations = KILL_POINTS.flatMap((point) => UPSTREAMS.map((upstream) => ({ point, upstream })));
  for (const combination of combinations) {
    for (let number = 1; number <= BATCH_SIZE; number += 1)
      runs.push(await connectRun(svc, fleet, combination, `${combination.point.title}, ${round}, ${number}`));
  }
  for (const { id } of UPSTREAMS) await fleet.sandbox.expireTokens(id);
  for (const point of KILL_POINTS) {
    const batch = runs.filter((run) => run.point === point);
    await killAt(point, fleet, batch);
  }
  await lookAt(fleet, runs);
}

beforeAll(
  async () => {
    const fleet = await startFleet({ count: 1, atEnd: (work) => void ends.unshift(work) });
    const { sandbox, gate, application } = fleet;
    const service = runningOf(fleet);
    await connectToSandbox(application, sandbox, { id: 'calendar', origin: gate.url });
    const baseUrl = sandbox.upstream('workspace').baseUrl.replace(sandbox.url, gate.url);
    await application.call('PATCH', '/v1/connections/workspace', { body: { baseUrl } });
    const svc = clientOf(service, service.url);
    for (let round = 1; round <= RUNS / BATCH_SIZE; round += 1) await runRound(fleet, svc, round);
  },
  rounds(3_600_000, 180_000),
);
afterAll(async () => {
  for (const end of ends) await end();
});

describe.each(UPSTREAMS)('R4: an account of $id whose process is killed', (upstream) => {
  test.each(KILL_POINTS)('$title', (point) => {
    const { tokenRequests, isOpen, isLost } = point;
    const isEnded = isLost && upstream.rotates;
    const expected: Outcome = {
      tokenRequests,
      requests: tokenRequests + (isOpen || tokenRequests === 0 ? 1 : 0),
      // SQLite needs no wait: only one process may use the file, so the process that began the refresh is dead.
      hasWaited: isOpen && inject('postgres') !== undefined,
      replies: Array.from({ length: CALLS }, () => (isEnded ? 409 : 200)),
      account: isEnded
        ? { status: 'reauthorization_required', statusReason: 'refresh_outcome_unknown' }
        : { status: 'authorized' },
    };
    expect(outcomes.get(keyOf({ point, upstream }))).toEqual(Array.from({ length: RUNS }, () => expected));
  });
});
