import { randomBytes, randomUUID } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openParts, type Parts } from '../../src/assembly/parts.js';
import { readConfig } from '../../src/config/config.js';
import { EVENT_TYPES } from '../../src/names/event-types.js';
import { createCommit } from '../../src/records/commit.js';
import { openDatabase } from '../../src/storage/database.js';
import { dataKeyLocation } from '../../src/vault/data-keys.js';
import { createLocalRootKey } from '../../src/vault/local-root-key.js';
import { PEPPER, pepperLocation } from '../../src/vault/pepper.js';
import { createRootKeys } from '../../src/vault/root-keys.js';
import { createVault, type SecretLocation, type Vault } from '../../src/vault/vault.js';
import { readEverything, type Stored } from '../support/databases/read-everything.js';
import { sealedCells } from '../support/databases/sealed-cells.js';
import { command } from '../support/processes/command.js';
import type { Exchange } from '../support/processes/gate.js';
import { startGatedService } from '../support/processes/gated-service.js';
import { newFolder } from '../support/processes/new-folder.js';
import { newPort } from '../support/processes/new-port.js';
import { type Ended, newDataFolder, runService } from '../support/processes/service-process.js';
import { actionsIn, flowsOf, type World, wordsOf } from '../support/secrets/secret-flows.js';
import { createSecrets, type Secrets } from '../support/secrets/secrets.js';
import { verificationsIn } from '../support/secrets/verification-flows.js';
import { listFor } from '../support/service/allowed-origins.js';
import {
  API_KEY,
  type ParcelService,
  parcels,
  startParcelService,
  writeFiles,
} from '../support/upstreams/parcels.js';

const ROOT_KEY = randomBytes(32).toString('base64');
const OPERATOR_PASSWORD = randomBytes(18).toString('base64url');
const TOKEN_PATHS = ['/calendar/token', '/workspace/v1/oauth/token'];

let upstream: ParcelService;
let world: World;
let actions: ReturnType<typeof actionsIn>;

function createKnownSecrets({ process, application, connection }: World['service']): Secrets {
  const secrets = createSecrets();
  secrets.add('the root key', ROOT_KEY);
  secrets.add('the password of the first operator', OPERATOR_PASSWORD);
  secrets.add('the secret of the application', process().clientSecret);
  secrets.add('the access token of the application', application.accessToken);
  secrets.add('the client secret at calendar', connection('calendar').clientSecret);
  secrets.add('the client secret at workspace', connection('workspace').clientSecret);
  secrets.add('the key of the parcel service', API_KEY);
  return secrets;
}

/** Creates an endpoint that gets the events of all flows, and rotates its secret. Its deliveries fail. */
async function createEndpoint({ service, secrets }: World): Promise<void> {
  const { call } = service.application;
  const body = { url: 'https://hooks.invalid/svc', types: [...EVENT_TYPES, 'parcels.parcel_sent'] };
  const created = (await call('POST', '/v1/webhook-endpoints', { body })).json<{
    id: string;
    secret: string;
  }>();
  secrets.add('the first signing secret', created.secret);
  const rotated = await call('POST', `/v1/webhook-endpoints/${created.id}/rotate-secret`);
  secrets.add('the signing secret', rotated.json<{ secret: string }>().secret);
}

beforeAll(async () => {
  upstream = await startParcelService();
  const nowhere = `http://127.0.0.1:${await newPort()}`;
  const service = await startGatedService(['calendar', 'workspace'], {
    origins: [listFor(['parcels'], [upstream.url, nowhere])],
    flags: ['--catalog', writeFiles(newDataFolder(), parcels), '--log-level', 'trace', '--log-access', '1'],
    env: { SVC_ROOT_KEY: ROOT_KEY, SVC_FIRST_OPERATOR_PASSWORD: OPERATOR_PASSWORD },
  });
  const secrets = createKnownSecrets(service);
  const identifier = `ada-${randomUUID()}`;
  world = {
    service,
    secrets,
    identifier,
    responses: [],
    parcelsUrl: upstream.url,
    hooks: upstream.hooks,
    nowhere,
  };
  actions = actionsIn(world);
  await createEndpoint(world);
});

afterAll(async () => {
  await world.service.stop();
  upstream.stop();
});

test('K2, K6, L3: secrets pass through every flow, including failures', async () => {
  const verifications = verificationsIn(world, actions, OPERATOR_PASSWORD);
  for (const { title, run, ends } of [...flowsOf(world, actions), ...verifications]) {
    const { status } = await run();
    expect({ title, status }).toEqual({ title, status: ends });
  }
}, 60_000);

/** Records the tokens in the requests and responses between the service and an authorization server. */
function noteTokens({ sent, received }: Exchange, index: number): void {
  const parse = (text: string): Record<string, unknown> =>
    text.startsWith('{') ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
  for (const [side, values] of Object.entries({ sent: parse(sent), received: parse(received) })) {
    for (const name of ['code', 'code_verifier', 'refresh_token', 'access_token']) {
      const value = values[name];
      if (typeof value === 'string' && value.length > 30) {
        world.secrets.add(`${name} ${side} by request ${index}`, value);
      }
    }
  }
}

const stored = (): Stored => {
  const { data, env } = world.service.process();
  return { data, databaseUrl: env?.['DATABASE_URL'] };
};

/** Stops the process unless it has exited, and returns its output. */
const stopped = (): Promise<Ended> => {
  const { signal, ended } = world.service.process();
  signal('SIGTERM');
  return ended;
};

/** Opens the service's database in this process, as an attacker with the database and this root key does. */
async function openStored(rootKey: string): Promise<Parts> {
  const { data, databaseUrl } = stored();
  const env = { SVC_DATA: data, SVC_ROOT_KEY: rootKey, ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
  return openParts({ config: readConfig([], env), shared: true });
}

/** Adds the encryption keys and the digest pepper to the secrets that must not leak. */
async function noteKeys(): Promise<void> {
  const { storage, rootKeys, close } = await openStored(ROOT_KEY);
  const pepper = (await storage.settings.find(PEPPER)) ?? '';
  world.secrets.addBytes('the pepper', await rootKeys.unwrap(pepperLocation, pepper));
  for (const row of await storage.dataKeys.listAll('', 100)) {
    const key = await rootKeys.unwrap(dataKeyLocation(row), row.wrappedKey);
    world.secrets.addBytes(`the data key ${row.id}`, key);
  }
  await close();
}

describe('K6: the recorded secrets', () => {
  beforeAll(async () => {
    await noteKeys();
    const exchanges = world.service.gate.exchanges.filter((exchange) => TOKEN_PATHS.includes(exchange.path));
    exchanges.forEach(noteTokens);
    const names = world.secrets.names();
    const tokens = [
      'code sent by request 0',
      'code_verifier sent by request 0',
      'refresh_token received by request 0',
      'an id of a verification',
      'the pepper',
      expect.stringMatching(/^the data key key_/),
    ];
    expect(names).toEqual(expect.arrayContaining(tokens));
    expect(names.length).toBeGreaterThan(40);
  });

  test('do not appear in the executions', async () => {
    const { items } = (await actions.call('GET', '/v1/executions?pageSize=200')).json<{
      items: { status: number }[];
    }>();
    expect(new Set(items.map(({ status }) => status))).toEqual(
      new Set([200, 400, 403, 404, 409, 424, 502, 503]),
    );
    expect(world.secrets.findIn(Buffer.from(JSON.stringify(items)))).toEqual([]);
  });

  test('do not appear in the responses and the OpenAPI document', async () => {
    await actions.raw('/openapi.json');
    for (const list of ['connections', 'connectors', 'tools']) await actions.call('GET', `/v1/${list}`);
    const text = world.responses.join('\n');
    expect(text).toContain('calendar_list_calendars');
    expect(world.secrets.findIn(Buffer.from(text))).toEqual([]);
  });

  test('do not appear in the database with its audit events, before and after the service stops', async () => {
    const look = async () => {
      const bytes = await readEverything(stored());
      const isRead = ['conn_', 'account.authorized', 'v1.key_'].every((text) => bytes.includes(text));
      return { isRead, leaks: world.secrets.findIn(bytes) };
    };
    expect(await look()).toEqual({ isRead: true, leaks: [] });
    await stopped();
    expect(await look()).toEqual({ isRead: true, leaks: [] });
  });

  test('do not appear in the output, writes and receipts of a command', async () => {
    const { data, clientId, env, flags = [] } = world.service.process();
    const refusal = wordsOf('a revocation', world.secrets.canary);
    const match = { method: 'POST', path: '/v1/oauth/revoke' };
    const failNext = { count: 9, status: 400, body: refusal, match };
    await world.service.sandbox.dials('workspace', { failNext });
    const file = path.join(newFolder(), 'receipts.jsonl');
    const run = (...words: string[]) => command({ env: { ...env, SVC_DATA: data } }, ...words, ...flags);
    const which = ['--application', clientId, '--connection', 'workspace'];
    const done = await run('accounts', 'revoke', ...which, '--receipts', file, '--yes');
    expect(done.code).toBe(1);
    const receipts = readFileSync(file, 'utf8');
    expect(receipts).toContain(
      'failed: The authorization server refused the request with the error other. Check the OAuth client (client id, client secret, redirect URI and scopes), or let the user consent again.',
    );
    const { stdout: audit } = await run('audit', 'export');
    expect(audit).toContain('account.revoked');
    const seen = [done.stdout, done.stderr, receipts, audit].join('\n');
    expect(world.secrets.findIn(Buffer.from(seen))).toEqual([]);
    expect(world.secrets.findIn(await readEverything(stored()))).toEqual([]);
  }, 60_000);

  test('do not appear in the output of the process', async () => {
    const { stdout, stderr } = await stopped();
    const requests = stdout.split('\n').filter((line) => line.includes('"msg":"request"'));
    expect(requests.length).toBeGreaterThan(50);
    for (const change of ['connection.created', 'account.authorized', 'operator.signed_in'])
      expect(stdout).toContain(`"msg":"${change}"`);
    expect(world.secrets.findIn(Buffer.from(stdout + stderr))).toEqual([]);
  });
});

const LOG_FIELDS = [
  'address',
  'applicationId',
  'durationMs',
  'error',
  'errorCode',
  'level',
  'method',
  'msg',
  'requestId',
  'route',
  'serviceVersion',
  'status',
  'time',
  'traceId',
];

test('L3: every log line is JSON of allowed fields only, without URLs, inputs, cookies, codes or tokens', async () => {
  const { stdout, stderr } = await stopped();
  expect(stderr).toBe('');
  const lines = stdout
    .slice(stdout.indexOf('\n{', stdout.indexOf('is ready on')) + 1)
    .trimEnd()
    .split('\n');
  const fields = new Set(lines.flatMap((line) => Object.keys(JSON.parse(line))));
  expect([...fields].filter((field) => !LOG_FIELDS.includes(field))).toEqual([]);
  const log = lines.join('\n');
  for (const route of ['/connect/:token', '/v1/proxy/*', '/v1/tools/:toolName/execute', '/oauth/token']) {
    expect(log).toContain(`"route":"${route}"`);
  }
  expect(log).not.toContain('?');
  expect(log).not.toContain(world.identifier);
  expect(world.secrets.findIn(Buffer.from(log))).toEqual([]);
});

test.each([
  {
    title: 'with another root key',
    env: { SVC_ROOT_KEY: randomBytes(32).toString('base64') },
    says: /^The root key does not belong to this database\. [^\n]+\n$/,
  },
  {
    title: 'with a missing root key file',
    env: {},
    says: /^The root key file [^\n]+ does not exist[^\n]+\n$/,
  },
])(
  'K3: a stolen database does not start $title',
  async ({ env, says }) => {
    const { data, databaseUrl } = stored();
    const copy = newDataFolder();
    cpSync(data, copy, { recursive: true });
    const stolen = { SVC_DATA: copy, ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
    const { code, stdout, stderr } = await runService({ env: { ...env, ...stolen } }).ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(says);
  },
  60_000,
);

test('K2: stolen values decrypt neither with another root key nor in another row', async () => {
  const { storage, core, callers, close } = await openStored(ROOT_KEY);
  const { databaseUrl, data } = stored();
  const source = databaseUrl === undefined ? { path: path.join(data, 'svc.db') } : { url: databaseUrl };
  const { database, close: closeDatabase } = await openDatabase({ ...source, shared: true });
  const cells = await sealedCells(database);
  expect(cells.length).toBeGreaterThan(10);
  const other = createLocalRootKey(randomBytes(32));
  const otherKeys = { storage, rootKeys: createRootKeys(() => [other]) };
  const otherVault = createVault({
    ...otherKeys,
    commit: createCommit({ storage, caller: callers.current, now: Date.now, random: randomBytes }),
    now: Date.now,
    random: randomBytes,
  });
  const opened = { withOtherKey: 0, swapped: 0, matching: 0 };
  const opens = (vault: Vault, location: SecretLocation, text: string) =>
    vault.open(location, text).then(
      () => 1,
      () => 0,
    );
  for (const { location } of cells) {
    for (const { text, location: own } of cells) {
      opened.withOtherKey += await opens(otherVault, location, text);
      opened[location === own ? 'matching' : 'swapped'] += await opens(core.vault, location, text);
    }
  }
  expect(opened).toEqual({ withOtherKey: 0, swapped: 0, matching: cells.length });
  await closeDatabase();
  await close();
});

test('the search finds a secret in every encoding', () => {
  const secrets = createSecrets();
  const value = secrets.canary('it');
  const forms = [
    value,
    btoa(`${value} and more`),
    Buffer.from(value).toString('hex'),
    encodeURIComponent(value),
  ];
  for (const form of forms) expect(secrets.findIn(Buffer.from(`before ${form} after`))).toEqual(['it']);
  expect(secrets.findIn(Buffer.from('before and after'))).toEqual([]);
});
