import { randomBytes } from 'node:crypto';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Exchange } from './gate.js';
import { startGatedService } from './gated-service.js';
import { API_KEY, type ParcelService, parcels, startParcelService, writeFiles } from './parcels.js';
import { actionsIn, flowsOf, type World } from './secret-flows.js';
import { createSecrets, type Secrets } from './secrets.js';
import { newDataFolder, newPort, runService } from './service-process.js';

const ROOT_KEY = randomBytes(32).toString('base64');
const TOKEN_PATHS = ['/calendar/token', '/workspace/v1/oauth/token'];

let upstream: ParcelService;
let world: World;
let actions: ReturnType<typeof actionsIn>;

function createKnownSecrets({ process, application, connection }: World['service']): Secrets {
  const secrets = createSecrets();
  secrets.add('the root key', ROOT_KEY);
  secrets.add('the secret of the application', process().clientSecret);
  secrets.add('the access token of the application', application.accessToken);
  secrets.add('the client secret at calendar', connection('calendar').clientSecret);
  secrets.add('the client secret at workspace', connection('workspace').clientSecret);
  secrets.add('the key of the parcel service', API_KEY);
  return secrets;
}

beforeAll(async () => {
  upstream = await startParcelService();
  const nowhere = `http://127.0.0.1:${await newPort()}`;
  const service = await startGatedService(['calendar', 'workspace'], {
    origins: [upstream.url, nowhere],
    flags: ['--catalog', writeFiles(newDataFolder(), parcels), '--log-level', 'trace'],
    env: { SVC_ROOT_KEY: ROOT_KEY },
  });
  const secrets = createKnownSecrets(service);
  world = { service, secrets, answers: [], parcelsUrl: upstream.url, nowhere };
  actions = actionsIn(world);
}, 30_000);

afterAll(async () => {
  await world.service.stop();
  upstream.stop();
});

test('secrets go through every flow, failures included', async () => {
  for (const { title, run, ends } of flowsOf(world, actions)) {
    const { status } = await run();
    expect({ title, status }).toEqual({ title, status: ends });
  }
}, 20_000);

/** What an authorization server and the service told each other. */
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

const readFolder = (folder: string): Buffer =>
  Buffer.concat(readdirSync(folder).map((name) => readFileSync(path.join(folder, name))));

describe('and none of them is found', () => {
  beforeAll(() => {
    const exchanges = world.service.gate.exchanges.filter((exchange) => TOKEN_PATHS.includes(exchange.path));
    exchanges.forEach(noteTokens);
    const names = world.secrets.names();
    const tokens = [
      'code sent by request 0',
      'code_verifier sent by request 0',
      'refresh_token received by request 0',
    ];
    expect(names).toEqual(expect.arrayContaining(tokens));
    expect(names.length).toBeGreaterThan(40);
  });

  test('in the executions', async () => {
    const { items } = (await actions.call('GET', '/v1/executions?pageSize=200')).json<{
      items: { status: number }[];
    }>();
    expect(new Set(items.map(({ status }) => status))).toEqual(new Set([200, 400, 404, 409, 502, 503]));
    expect(world.secrets.foundIn(Buffer.from(JSON.stringify(items)))).toEqual([]);
  });

  test('in the answers of the service, the OpenAPI document included', async () => {
    await actions.raw('/openapi.json');
    for (const list of ['connections', 'connectors', 'tools']) await actions.call('GET', `/v1/${list}`);
    const text = world.answers.join('\n');
    expect(text).toContain('calendar_list_calendars');
    expect(world.secrets.foundIn(Buffer.from(text))).toEqual([]);
  });

  test('in the files of the database, before and after it is closed', async () => {
    const { data, signal, ended } = world.service.process();
    const look = () => {
      const bytes = readFolder(data);
      return { isRead: bytes.includes('conn_'), found: world.secrets.foundIn(bytes) };
    };
    expect(look()).toEqual({ isRead: true, found: [] });
    signal('SIGTERM');
    await ended;
    expect(look()).toEqual({ isRead: true, found: [] });
  });

  test('in what the process printed', async () => {
    const { stdout, stderr } = await world.service.process().ended;
    const requests = stdout.split('\n').filter((line) => line.includes('"msg":"request"'));
    expect(requests.length).toBeGreaterThan(50);
    expect(world.secrets.foundIn(Buffer.from(stdout + stderr))).toEqual([]);
  });
});

test.each([
  { title: 'with another root key', env: { SVC_ROOT_KEY: randomBytes(32).toString('base64') } },
  { title: 'without the root key', env: {} },
])(
  'a stolen copy of the database does not start $title',
  async ({ env }) => {
    const copy = newDataFolder();
    cpSync(world.service.process().data, copy, { recursive: true });
    const { code, stderr } = await runService({ env: { ...env, SVC_DATA: copy } }).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The root key is not the one that this database was made with; [^\n]+\n$/);
  },
  20_000,
);

test('a secret would be found, in whatever form it stood there', () => {
  const secrets = createSecrets();
  const value = secrets.canary('it');
  const forms = [
    value,
    btoa(`${value} and more`),
    Buffer.from(value).toString('hex'),
    encodeURIComponent(value),
  ];
  for (const form of forms) expect(secrets.foundIn(Buffer.from(`before ${form} after`))).toEqual(['it']);
  expect(secrets.foundIn(Buffer.from('before and after'))).toEqual([]);
});
