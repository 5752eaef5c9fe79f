/** Puts accounts straight into the storage of a service that is not running: sealed by its own vault, as if it had made them. */
import { randomBytes } from 'node:crypto';
import { readConfig } from '../../server/src/config/config.ts';
import { openStorage } from '../../server/src/open-storage.ts';
import { newId } from '../../server/src/random.ts';
import { createCommit } from '../../server/src/records/commit.ts';
import { secret } from '../../server/src/secret.ts';
import { createVault } from '../../server/src/vault/vault.ts';
import { answerJobs } from './helper.ts';

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
}

const BATCH = 500;

async function seed({ env, applicationId, connectionName, identifier, credential, count }: SeedJob) {
  const { storage, rootKeys, callers, now, close } = await openStorage({ config: readConfig([], env) });
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
    ...model
  } = found;
  const toRow = async (index: number) => {
    const id = newId('acct', random);
    const place = { applicationId, table: 'accounts', rowId: id, column: 'access_token' } as const;
    return {
      ...model,
      id,
      identifier: `user_${index}`,
      accessToken: await vault.seal(place, secret(credential)),
    };
  };
  for (let first = 0; first < count; first += BATCH) {
    const indexes = Array.from({ length: Math.min(BATCH, count - first) }, (_, index) => first + index);
    const rows = await Promise.all(indexes.map(toRow));
    await storage.transaction(async ({ accounts }) => {
      for (const row of rows) await accounts.insert(row);
    });
  }
  await close();
}

answerJobs(seed);
