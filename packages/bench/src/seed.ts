/**
 * Writes accounts and executions into the storage of a service that is stopped. The service's own vault encrypts the
 * credentials.
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { openStorage } from '../../server/src/assembly/open-storage.ts';
import { type Config, readConfig } from '../../server/src/config/config.ts';
import { createCommit } from '../../server/src/records/commit.ts';
import { createWriteExecutions } from '../../server/src/records/write-executions.ts';
import { secret } from '../../server/src/secret.ts';
import { openDatabase } from '../../server/src/storage/database.ts';
import type { ExecutionRow } from '../../server/src/storage/schema.ts';
import type { Storage } from '../../server/src/storage/storage.ts';
import { newId } from '../../server/src/text/random.ts';
import { createVault } from '../../server/src/vault/vault.ts';
import { handleJobs } from './job-process.ts';

export interface SeedJob {
  /** Environment variables of the service. */
  readonly env: Readonly<Record<string, string>>;
  readonly applicationId: string;
  readonly connectionName: string;
  /** User identifier of an existing account, whose row is copied for each new account. */
  readonly identifier: string;
  readonly credential: string;
  /** Number of new accounts. Their user identifiers are `user_0`, `user_1` and so on. */
  readonly count: number;
  /** Every `brokenOf`-th new account needs a new consent of its user. Default: no account needs one. */
  readonly brokenOf?: number;
  /** Number of executions (logged tool calls) to write, spread over the last two weeks. Default: 0. */
  readonly executions?: number;
}

const BATCH = 500;
const EXECUTIONS_BATCH = 5000;
const TWO_WEEKS_MS = 14 * 24 * 3_600_000;

const BROKEN = { status: 'reauthorization_required', statusReason: 'refresh_refused' } as const;

interface ExecutionSeed extends SeedJob {
  readonly accountId: string;
  readonly now: number;
}

/** Builds the execution record of a tool call. Every twentieth call fails. Durations are spread from 0 to 2 s. */
function toExecution(
  { applicationId, connectionName, accountId, now, executions = 0 }: ExecutionSeed,
  index: number,
): ExecutionRow {
  const startedAt = now - Math.floor(((executions - index) * TWO_WEEKS_MS) / executions);
  const isFailed = index % 20 === 0;
  return {
    id: `exec_${startedAt.toString(16).padStart(12, '0')}${index.toString(16).padStart(20, '0')}`,
    applicationId,
    accountId,
    connectionName: index % 3 === 0 ? 'other' : connectionName,
    identifier: null,
    kind: 'tool',
    toolName: 'convintel_questions_get',
    method: null,
    path: null,
    status: isFailed ? 502 : 200,
    errorCode: isFailed ? 'upstream_failed' : null,
    upstreamStatus: isFailed ? 500 : 200,
    durationMs: (index * 7919) % 2000,
    startedAt,
    requestId: `req_${index}`,
    traceId: null,
    serviceVersion: '0.0.0',
    attempts: 1,
    refreshed: 0,
    upstreamMs: (index * 7919) % 2000,
    waitedMs: 0,
    pausedMs: 0,
    count: 1,
    cause: null,
    requests: null,
  };
}

async function addExecutions(storage: Storage, seed: ExecutionSeed): Promise<void> {
  const { executions: count = 0 } = seed;
  const write = createWriteExecutions({ storage });
  for (let first = 0; first < count; first += EXECUTIONS_BATCH) {
    const length = Math.min(EXECUTIONS_BATCH, count - first);
    await write(Array.from({ length }, (_, index) => toExecution(seed, first + index)));
  }
}

/** Opens the database directly, because the service's storage inserts one account at a time and is too slow. */
const openDirectly = ({ databaseUrl: url, data }: Config) =>
  openDatabase(url === undefined ? { path: path.join(data, 'svc.db'), shared: true } : { url });

async function seedStorage(job: SeedJob) {
  const { env, applicationId, connectionName, identifier, credential, count, brokenOf } = job;
  const config = readConfig([], env);
  const { storage, rootKeys, callers, now, close } = await openStorage({ config });
  const random = randomBytes;
  const commit = createCommit({ storage, caller: callers.current, now, random });
  const vault = createVault({ storage, rootKeys, commit, now, random });
  const account = await storage.accounts.findByName(applicationId, { connectionName, identifier });
  if (account === undefined)
    throw new Error(`The bench created no account ${identifier}. This is a bug of the bench.`);
  const {
    connectionName: _name,
    connector: _connector,
    baseUrl: _url,
    region: _region,
    hosts: _hosts,
    approve: _approve,
    storeUpstreamErrors: _store,
    ...model
  } = account;
  const toRow = async (index: number) => {
    const id = newId('acct', random);
    const cell = { applicationId, table: 'accounts', rowId: id, column: 'access_token' } as const;
    const isBroken = brokenOf !== undefined && index % brokenOf === 0;
    return {
      ...model,
      id,
      identifier: `user_${index}`,
      identifierKey: `user_${index}`,
      accessToken: await vault.seal(cell, secret(credential)),
      ...(isBroken && BROKEN),
    };
  };
  const direct = await openDirectly(config);
  for (let first = 0; first < count; first += BATCH) {
    const indexes = Array.from({ length: Math.min(BATCH, count - first) }, (_, index) => first + index);
    const rows = await Promise.all(indexes.map(toRow));
    // Inserts the new accounts and ignores conflicts, because the existing account may have the identifier of a new
    // one.
    const adding = direct.database.insertInto('accounts').values(rows);
    await adding.onConflict((conflict) => conflict.doNothing()).execute();
  }
  await direct.close();
  await addExecutions(storage, { ...job, accountId: account.id, now: now() });
  await close();
}

handleJobs(seedStorage);
