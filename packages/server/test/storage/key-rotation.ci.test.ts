import { randomBytes, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openParts, type Parts } from '../../src/assembly/parts.js';
import { readConfig } from '../../src/config/config.js';
import { secret } from '../../src/secret.js';
import { SEALED_COLUMNS } from '../../src/storage/sealed-columns.js';
import { ciphertextPrefix } from '../../src/vault/ciphertext.js';
import { countWrapped } from '../../src/vault/rotate-root-key.js';
import { command, commandJson } from '../support/processes/command.js';
import {
  newDataFolder,
  newSettings,
  runService,
  type ServiceProcess,
  startProcess,
} from '../support/processes/service-process.js';
import { rounds } from '../support/runner/rounds.js';
import { type Application, signIn } from '../support/service/application.js';
import {
  API_KEY,
  type ParcelService,
  parcels,
  startParcelService,
  writeFiles,
} from '../support/upstreams/parcels.js';

const ACCOUNTS = 600;
const OTHER_APPLICATIONS = 40;
const KILLS = rounds(50, 4);

let upstream: ParcelService;
let service: ServiceProcess;
let application: Application;
let setup: { readonly env: Readonly<Record<string, string>> };
/** Storage and keys of the running service, opened in the process of the test. */
let parts: Parts;

/** Copies the first account, so that a rotation has many values to encrypt again. */
async function addAccounts(applicationId: string): Promise<void> {
  const { storage, core } = parts;
  const first = await storage.accounts.findByName(applicationId, {
    connectionName: 'parcels',
    identifier: 'user_0',
  });
  if (!first) throw new Error('no account');
  const { connectionName, connector, baseUrl, region, hosts, approve, storeUpstreamErrors, ...row } = first;
  const seal = await core.vault.prepare(applicationId);
  const rows = Array.from({ length: ACCOUNTS - 1 }, (_, index) => {
    const id = `acct_${randomBytes(12).toString('hex')}`;
    const sealed = { applicationId, table: 'accounts', rowId: id, column: 'access_token' } as const;
    return { ...row, id, identifier: `user_${index + 1}`, accessToken: seal(sealed, secret(API_KEY)) };
  });
  await storage.transaction(async ({ accounts }) => {
    for (const each of rows) await accounts.insert(each);
  });
}

/** Creates applications. Each has its own data key, so a rotation of the root key has many keys to wrap again. */
async function addApplications(): Promise<void> {
  const { applications, connections } = parts.core;
  for (let index = 0; index < OTHER_APPLICATIONS; index += 1) {
    const { id } = await applications.create(`Other ${index}`);
    const input = { connectionName: 'parcels', connector: 'calendar', clientId: 'x' };
    await connections.create(id, { ...input, clientSecret: 'a client secret' });
  }
}

beforeAll(async () => {
  upstream = await startParcelService();
  const catalog = writeFiles(newDataFolder(), parcels);
  const flags = ['--catalog', catalog, '--allowed-origins', `parcels=${upstream.url}`];
  const settings = await newSettings({ flags });
  service = await startProcess(settings);
  setup = { env: { ...settings.env, SVC_DATA: settings.data } };
  application = await signIn(service);
  const connection = { connectionName: 'parcels', connector: 'parcels', baseUrl: upstream.url };
  await application.call('POST', '/v1/connections', { body: connection });
  await putKey(0);
  parts = await openParts({ config: readConfig(flags, setup.env), shared: true });
  await addAccounts(settings.clientId);
  await addApplications();
}, 120_000);

afterAll(async () => {
  await parts.close();
  await service.kill();
  upstream.stop();
});

const putKey = (user: number) =>
  application.call('PUT', `/v1/connections/parcels/accounts/user_${user}`, { body: { apiKey: API_KEY } });
const read = (user: number) => application.call('GET', `/v1/proxy/parcels/user_${user}/v1/parcels`);

/** Reads accounts in a loop; every tenth call changes one. The returned function ends the loop and returns failures. */
function startTraffic() {
  const failures: string[] = [];
  let calls = 0;
  let isStopped = false;
  const call = async () => {
    const { status, text } =
      calls % 10 === 9 ? await putKey(randomInt(ACCOUNTS)) : await read(calls % ACCOUNTS);
    if (status !== 200) failures.push(text);
    calls += 1;
  };
  const running = (async () => {
    while (!isStopped) await call();
  })();
  return async () => {
    isStopped = true;
    await running;
    return { calls, failures };
  };
}

async function countNew(): Promise<number> {
  const newest = await parts.storage.dataKeys.newest(service.clientId);
  const [, , sealed] = SEALED_COLUMNS;
  const search = { applicationId: service.clientId, sealed, containing: ciphertextPrefix(newest?.id ?? '') };
  if (newest === undefined) return 0;
  return (await parts.storage.sealedValues.countSome(search, { after: '', most: 10 * ACCOUNTS })).items;
}

const countWrappedAgain = async (): Promise<number> =>
  (await countWrapped(parts.storage)).get(parts.rootKeys.ids()[0] ?? '') ?? 0;

interface Rotation {
  readonly flags: readonly string[];
  /**
   * Counts the values that are encrypted with the newest key. A rotation first creates a new key, so the count falls
   * from at most `most` to 0, and then grows.
   */
  readonly count: () => Promise<number>;
  readonly most: number;
}

const ROTATIONS: readonly Rotation[] = [
  { flags: ['--application', 'app_test'], count: countNew, most: ACCOUNTS },
  { flags: ['--root'], count: countWrappedAgain, most: OTHER_APPLICATIONS },
];

/** Kills the rotation after a random number of values. Returns false if the rotation had already ended. */
async function killSomewhere({ flags, count, most }: Rotation): Promise<boolean> {
  const point = randomInt(most);
  const run = runService({ flags: ['keys', 'rotate', ...flags], env: setup.env });
  let isOver = false;
  void run.ended.then(() => {
    isOver = true;
  });
  // Waits until the count falls below `most`, because the rotation has then created its new key.
  for (let low = false; !isOver; ) {
    const done = await count();
    low ||= done < most;
    if (low && done >= point) break;
  }
  run.signal('SIGKILL');
  return (await run.ended).code === null;
}

const openAll = async (): Promise<number> => {
  const { storage, core } = parts;
  let opened = 0;
  for (let user = 0; user < ACCOUNTS; user += 1) {
    const row = await storage.accounts.findByName(service.clientId, {
      connectionName: 'parcels',
      identifier: `user_${user}`,
    });
    const rowLocation = { applicationId: service.clientId, table: 'accounts', rowId: row?.id ?? '' } as const;
    const { reveal } = await core.vault.open(
      { ...rowLocation, column: 'access_token' },
      row?.accessToken ?? '',
    );
    if (reveal() === API_KEY) opened += 1;
  }
  return opened;
};

interface Status {
  readonly rootKeys: readonly { readonly state: string; readonly wraps: number }[];
  readonly dataKeys: readonly { readonly applicationId: string; readonly values: number }[];
}

test(`K4: ${KILLS} killed rotations leave 0 unreadable rows, and no read fails in the meantime`, async () => {
  const stopTraffic = startTraffic();
  let killed = 0;
  for (let round = 0; round < KILLS; round += 1) {
    const rotation = ROTATIONS[round % ROTATIONS.length];
    if (rotation && (await killSomewhere(rotation))) killed += 1;
    expect(await openAll()).toBe(ACCOUNTS);
  }
  expect(killed).toBeGreaterThan(0);
  for (const flags of [['--finish'], ['--root', '--finish']]) {
    expect(await command(setup, 'keys', 'rotate', ...flags)).toMatchObject({ code: 0, stderr: '' });
  }
  const { calls, failures } = await stopTraffic();
  expect(failures).toEqual([]);
  expect(calls).toBeGreaterThan(50);
  expect(await openAll()).toBe(ACCOUNTS);
  const { rootKeys, dataKeys } = await commandJson<Status>(setup, 'keys', 'status');
  expect(rootKeys).toEqual([expect.objectContaining({ state: 'current' })]);
  const own = dataKeys.filter((key) => key.applicationId === service.clientId);
  // Expects more than half of the values under the newest key, not all. The service may still rotate values that an
  // instance encrypted in the 5 s before it learned of the new key.
  expect(own.at(-1)?.values).toBeGreaterThan(ACCOUNTS / 2);
  const lines = readFileSync(path.join(service.data, 'root.key'), 'utf8').trim().split('\n');
  expect(lines).toHaveLength(1);
}, 600_000);
