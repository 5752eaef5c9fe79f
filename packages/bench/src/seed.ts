/** Puts accounts straight into the storage of a service that is not running: sealed by its own vault, as if it had made them. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { type Config, readConfig } from '../../server/src/config/config.ts';
import { openStorage } from '../../server/src/open-storage.ts';
import { newId } from '../../server/src/random.ts';
import { createCommit } from '../../server/src/records/commit.ts';
import { createWriteExecutions } from '../../server/src/records/write-executions.ts';
import { secret } from '../../server/src/secret.ts';
import { openDatabase } from '../../server/src/storage/database.ts';
import type { ExecutionRow } from '../../server/src/storage/schema.ts';
import type { Storage } from '../../server/src/storage/storage.ts';
import { createVault } from '../../server/src/vault/vault.ts';
import { answerJobs } from './job-process.ts';

export interface SeedJob {
  /** The settings of the service. */
  readonly env: Readonly<Record<string, string>>;
  readonly applicationId: string;
  readonly connectionName: string;
  /** Of an account that is there already, and is what the others are like. */
  readonly identifier: string;
  readonly credential: string;
  /** The others are named user_0 and so on. */
  readonly count: number;
  /** Of each so many accounts one needs a new approval; none when absent. */
  readonly brokenOf?: number;
  /** So many, spread over two weeks up to now. */
  readonly executions?: number;
}

const BATCH = 500;
const EXECUTIONS_BATCH = 5000;
const TWO_WEEKS_MS = 14 * 24 * 3_600_000;

const BROKEN = { status: 'reauthorization_required', statusReason: 'refresh_refused' } as const;

interface Ran extends SeedJob {
  readonly accountId: string;
  readonly now: number;
}

/** Every twentieth failed; how long they took is spread over what upstreams take. */
function toExecution(
  { applicationId, connectionName, accountId, now, executions = 0 }: Ran,
  index: number,
): ExecutionRow {
  const startedAt = now - Math.floor(((executions - index) * TWO_WEEKS_MS) / executions);
  const isFailed = index % 20 === 0;
  return {
    id: `exec_${startedAt.toString(16).padStart(12, '0')}${index.toString(16).padStart(20, '0')}`,
    applicationId,
    accountId,
    connectionName: index % 3 === 0 ? 'other' : connectionName,
    kind: 'tool',
    toolName: 'convintel_questions_get',
    method: null,
    status: isFailed ? 502 : 200,
    errorCode: isFailed ? 'upstream_failed' : null,
    upstreamStatus: isFailed ? 500 : 200,
    durationMs: (index * 7919) % 2000,
    startedAt,
    requestId: `req_${index}`,
    attempts: 1,
    refreshed: 0,
    upstreamMs: (index * 7919) % 2000,
    waitedMs: 0,
  };
}

async function addExecutions(storage: Storage, ran: Ran): Promise<void> {
  const { executions: count = 0 } = ran;
  const write = createWriteExecutions({ storage });
  for (let first = 0; first < count; first += EXECUTIONS_BATCH) {
    const length = Math.min(EXECUTIONS_BATCH, count - first);
    await write(Array.from({ length }, (_, index) => toExecution(ran, first + index)));
  }
}

/** Beside the tables of the service, which take one row at a time. */
const openBeside = ({ databaseUrl: url, data }: Config) =>
  openDatabase(url === undefined ? { path: path.join(data, 'svc.db'), shared: true } : { url });

async function seed(job: SeedJob) {
  const { env, applicationId, connectionName, identifier, credential, count, brokenOf } = job;
  const config = readConfig([], env);
  const { storage, rootKeys, callers, now, close } = await openStorage({ config });
  const random = randomBytes;
  const commit = createCommit({ storage, caller: callers.current, now, random });
  const vault = createVault({ storage, rootKeys, commit, now, random });
  const found = await storage.accounts.findByIdentifier(applicationId, connectionName, identifier);
  if (found === undefined) throw new Error(`There is no account ${identifier}.`);
  const {
    connectionName: _name,
    connector: _connector,
    baseUrl: _url,
    region: _region,
    hosts: _hosts,
    approve: _approve,
    ...model
  } = found;
  const toRow = async (index: number) => {
    const id = newId('acct', random);
    const place = { applicationId, table: 'accounts', rowId: id, column: 'access_token' } as const;
    const isBroken = brokenOf !== undefined && index % brokenOf === 0;
    return {
      ...model,
      id,
      identifier: `user_${index}`,
      accessToken: await vault.seal(place, secret(credential)),
      ...(isBroken && BROKEN),
    };
  };
  const beside = await openBeside(config);
  for (let first = 0; first < count; first += BATCH) {
    const indexes = Array.from({ length: Math.min(BATCH, count - first) }, (_, index) => first + index);
    const rows = await Promise.all(indexes.map(toRow));
    // The account that is there already is one of them.
    const adding = beside.database.insertInto('accounts').values(rows);
    await adding.onConflict((conflict) => conflict.doNothing()).execute();
  }
  await beside.close();
  await addExecutions(storage, { ...job, accountId: found.id, now: now() });
  await close();
}

answerJobs(seed);
