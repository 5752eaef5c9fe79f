import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, inject, vi } from 'vitest';
import type { QueryMoment } from '../databases/database-gate.js';
import type { Fleet } from './fleet.js';
import type { Moment } from './gate.js';

export interface Upstream {
  readonly id: string;
  readonly toolName: string;
  readonly path: string;
  readonly tokenPath: string;
  /** True if the upstream rotates refresh tokens. Reuse of an old refresh token then revokes the whole grant. */
  readonly rotates: boolean;
}

export const UPSTREAMS: readonly Upstream[] = [
  {
    id: 'calendar',
    toolName: 'calendar_list_calendars',
    path: '/users/me/calendarList',
    tokenPath: '/calendar/token',
    rotates: false,
  },
  {
    id: 'workspace',
    toolName: 'workspace_users_list',
    path: '/v1/users',
    tokenPath: '/v1/oauth/token',
    rotates: true,
  },
];

/** Token refreshes that the test pauses before it kills the process. */
export interface PausedRefreshes {
  /** Resolves when all refreshes are paused. */
  readonly paused: Promise<unknown>;
  /** Cleanup that runs between the death of the process and the start of its successor. */
  readonly cleanUp?: () => Promise<void>;
  /** Releases requests that are still paused in the gate. Runs after the process is dead. */
  readonly release?: () => void;
}

export interface KillPoint {
  readonly title: string;
  /** Pauses the next `each` refreshes of each upstream at this kill point. */
  readonly pause: (fleet: Fleet, each: number) => PausedRefreshes | Promise<PausedRefreshes>;
  /** Number of token requests per account to which the upstream has responded before the kill. */
  readonly tokenRequests: 0 | 1;
  /** True if the next process finds `refresh_started_at` set, so it knows of an unfinished refresh. */
  readonly isOpen: boolean;
  /** True if the kill loses the token response, because neither database nor spool has stored it. */
  readonly isLost: boolean;
}

const INTENT = 'update "accounts" set "refresh_started_at"';
const NEW_TOKENS = 'update "accounts" set "access_token"';

function pauseRequests(
  { gate }: Fleet,
  each: number,
  where: 'path' | 'tokenPath',
  moment: Moment,
): PausedRefreshes {
  const paths = UPSTREAMS.flatMap((upstream) => Array.from({ length: each }, () => upstream[where]));
  const pauses = paths.map((path) => gate.pause(path, moment));
  return {
    paused: Promise.all(pauses.map(({ paused }) => paused)),
    release: () => {
      for (const { release } of pauses) release();
    },
  };
}

function pauseQueries(
  { databaseGate }: Fleet,
  each: number,
  text: string,
  moment: QueryMoment,
): PausedRefreshes {
  if (databaseGate === undefined) throw new Error('A database that is a file has no gate.');
  return { paused: databaseGate.pauseQueries(text, moment, each * UPSTREAMS.length) };
}

function spoolOf({ services: [service] }: Fleet): string {
  if (service === undefined) throw new Error('There is no process.');
  return path.join(service.data, 'spool');
}

/** Replaces the folder of the spool with a file, so that the service cannot spool the new tokens. */
async function pauseWithoutSpool(fleet: Fleet, each: number): Promise<PausedRefreshes> {
  const folder = spoolOf(fleet);
  await rm(folder, { recursive: true, force: true });
  await writeFile(folder, '');
  return { ...pauseQueries(fleet, each, NEW_TOKENS, 'query'), cleanUp: () => rm(folder) };
}

function pauseWithSpool(fleet: Fleet, each: number): PausedRefreshes {
  const expectSealed = async () => {
    const files = await readdir(spoolOf(fleet));
    expect(files.filter((file) => file.endsWith('.sealed'))).toHaveLength(each * UPSTREAMS.length);
  };
  const { paused } = pauseQueries(fleet, each, NEW_TOKENS, 'query');
  return { paused: paused.then(() => vi.waitFor(expectSealed, { timeout: 10_000 })) };
}

/** Pauses the repeated upstream calls: the service sends them only after the database has stored the new tokens. */
function pauseRepeated(fleet: Fleet, each: number): PausedRefreshes {
  const refreshes = pauseRequests(fleet, each, 'tokenPath', 'request');
  const repeated = refreshes.paused.then(() => {
    const pauses = pauseRequests(fleet, each, 'path', 'request');
    refreshes.release?.();
    return pauses;
  });
  return {
    paused: repeated.then(({ paused }) => paused),
    release: () => void repeated.then(({ release }) => release?.()),
  };
}

const REQUEST_SENT: readonly KillPoint[] = [
  {
    title: 'after the request is sent and before the upstream sees it',
    pause: (fleet, each) => pauseRequests(fleet, each, 'tokenPath', 'request'),
    ...{ tokenRequests: 0, isOpen: true, isLost: false },
  },
  {
    title: 'after the request is sent and done',
    pause: (fleet, each) => pauseRequests(fleet, each, 'tokenPath', 'response'),
    ...{ tokenRequests: 1, isOpen: true, isLost: true },
  },
];

const ON_POSTGRES: readonly KillPoint[] = [
  {
    title: 'before the intent',
    pause: (fleet, each) => pauseQueries(fleet, each, INTENT, 'query'),
    ...{ tokenRequests: 0, isOpen: false, isLost: false },
  },
  {
    title: 'after the intent',
    pause: (fleet, each) => pauseQueries(fleet, each, INTENT, 'outcome'),
    ...{ tokenRequests: 0, isOpen: true, isLost: false },
  },
  ...REQUEST_SENT,
  {
    title: 'after the response is read, when no disk has taken the new tokens',
    pause: pauseWithoutSpool,
    ...{ tokenRequests: 1, isOpen: true, isLost: true },
  },
  {
    title: 'after the response is read, when only the spool has the new tokens',
    pause: pauseWithSpool,
    ...{ tokenRequests: 1, isOpen: false, isLost: false },
  },
  {
    title: 'after the commit',
    pause: (fleet, each) => pauseQueries(fleet, each, NEW_TOKENS, 'outcome'),
    ...{ tokenRequests: 1, isOpen: false, isLost: false },
  },
];

// Kill points on SQLite, which has no connection that a test could pause, so paused upstream requests show how far a
// refresh is. The points after the intent and after the response are left out, because only a paused query could reach
// them.
const ON_SQLITE: readonly KillPoint[] = [
  {
    title: 'before the intent',
    pause: (fleet, each) => pauseRequests(fleet, each, 'path', 'response'),
    ...{ tokenRequests: 0, isOpen: false, isLost: false },
  },
  ...REQUEST_SENT,
  {
    title: 'after the commit',
    pause: pauseRepeated,
    ...{ tokenRequests: 1, isOpen: false, isLost: false },
  },
];

/** Kill points in the order of a refresh. */
export const KILL_POINTS: readonly KillPoint[] = inject('postgres') === undefined ? ON_SQLITE : ON_POSTGRES;
