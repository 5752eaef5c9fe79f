import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, inject, vi } from 'vitest';
import type { QueryMoment } from './database-gate.js';
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

/** Token refreshes that the test has paused. */
export interface Caught {
  /** Resolves when all refreshes are paused. */
  readonly reached: Promise<unknown>;
  /** Cleanup that runs between the death of the process and the start of its successor. */
  readonly bury?: () => Promise<void>;
  /** Releases requests that are still paused in the gate. Runs after the process is dead. */
  readonly release?: () => void;
}

export interface KillPoint {
  readonly title: string;
  /** Pauses the next `each` refreshes of each upstream at this kill point. */
  readonly hold: (fleet: Fleet, each: number) => Caught | Promise<Caught>;
  /** Number of token requests per account that the upstream has answered before the kill. */
  readonly answered: 0 | 1;
  /** True if the next process finds `refresh_started_at` set, so it knows of an unfinished refresh. */
  readonly isOpen: boolean;
  /** True if the kill loses the token response, because neither database nor spool has stored it. */
  readonly isLost: boolean;
}

const INTENT = 'update "accounts" set "refresh_started_at"';
const NEW_TOKENS = 'update "accounts" set "access_token"';

function holdRequests({ gate }: Fleet, each: number, where: 'path' | 'tokenPath', moment: Moment): Caught {
  const paths = UPSTREAMS.flatMap((upstream) => Array.from({ length: each }, () => upstream[where]));
  const held = paths.map((path) => gate.hold(path, moment));
  return {
    reached: Promise.all(held.map(({ reached }) => reached)),
    release: () => {
      for (const { release } of held) release();
    },
  };
}

function holdQueries({ databaseGate }: Fleet, each: number, text: string, moment: QueryMoment): Caught {
  if (databaseGate === undefined) throw new Error('A database that is a file has no gate.');
  return { reached: databaseGate.hold(text, moment, each * UPSTREAMS.length) };
}

function spoolOf({ services: [service] }: Fleet): string {
  if (service === undefined) throw new Error('There is no process.');
  return path.join(service.data, 'spool');
}

/** Replaces the folder of the spool with a file, so that the service cannot spool the new tokens. */
async function holdWithoutSpool(fleet: Fleet, each: number): Promise<Caught> {
  const folder = spoolOf(fleet);
  await rm(folder, { recursive: true, force: true });
  await writeFile(folder, '');
  return { ...holdQueries(fleet, each, NEW_TOKENS, 'query'), bury: () => rm(folder) };
}

function holdWithSpool(fleet: Fleet, each: number): Caught {
  const expectSealed = async () => {
    const files = await readdir(spoolOf(fleet));
    expect(files.filter((file) => file.endsWith('.sealed'))).toHaveLength(each * UPSTREAMS.length);
  };
  const { reached } = holdQueries(fleet, each, NEW_TOKENS, 'query');
  return { reached: reached.then(() => vi.waitFor(expectSealed, { timeout: 10_000 })) };
}

/** Pauses the repeated upstream calls: the service sends them only after the database has stored the new tokens. */
function holdRepeated(fleet: Fleet, each: number): Caught {
  const refreshes = holdRequests(fleet, each, 'tokenPath', 'request');
  const repeated = refreshes.reached.then(() => {
    const held = holdRequests(fleet, each, 'path', 'request');
    refreshes.release?.();
    return held;
  });
  return {
    reached: repeated.then(({ reached }) => reached),
    release: () => void repeated.then(({ release }) => release?.()),
  };
}

const REQUEST_SENT: readonly KillPoint[] = [
  {
    title: 'after the request is sent and before the upstream sees it',
    hold: (fleet, each) => holdRequests(fleet, each, 'tokenPath', 'request'),
    ...{ answered: 0, isOpen: true, isLost: false },
  },
  {
    title: 'after the request is sent and done',
    hold: (fleet, each) => holdRequests(fleet, each, 'tokenPath', 'answer'),
    ...{ answered: 1, isOpen: true, isLost: true },
  },
];

const ON_POSTGRES: readonly KillPoint[] = [
  {
    title: 'before the intent',
    hold: (fleet, each) => holdQueries(fleet, each, INTENT, 'query'),
    ...{ answered: 0, isOpen: false, isLost: false },
  },
  {
    title: 'after the intent',
    hold: (fleet, each) => holdQueries(fleet, each, INTENT, 'outcome'),
    ...{ answered: 0, isOpen: true, isLost: false },
  },
  ...REQUEST_SENT,
  {
    title: 'after the response is read, when no disk has taken the new tokens',
    hold: holdWithoutSpool,
    ...{ answered: 1, isOpen: true, isLost: true },
  },
  {
    title: 'after the response is read, when only the spool has the new tokens',
    hold: holdWithSpool,
    ...{ answered: 1, isOpen: false, isLost: false },
  },
  {
    title: 'after the commit',
    hold: (fleet, each) => holdQueries(fleet, each, NEW_TOKENS, 'outcome'),
    ...{ answered: 1, isOpen: false, isLost: false },
  },
];

// SQLite has no connection to intercept, so upstream requests show how far a refresh is. The kill points after the
// intent and after the response are left out, because they leave the same state as those of REQUEST_SENT.
const ON_SQLITE: readonly KillPoint[] = [
  {
    title: 'before the intent',
    hold: (fleet, each) => holdRequests(fleet, each, 'path', 'answer'),
    ...{ answered: 0, isOpen: false, isLost: false },
  },
  ...REQUEST_SENT,
  {
    title: 'after the commit',
    hold: holdRepeated,
    ...{ answered: 1, isOpen: false, isLost: false },
  },
];

/** Kill points in the order of a refresh. */
export const KILL_POINTS: readonly KillPoint[] = inject('postgres') === undefined ? ON_SQLITE : ON_POSTGRES;
