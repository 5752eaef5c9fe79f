import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newFolder } from '../support/processes/new-folder.js';
import {
  newDataFolder,
  newSettings,
  runService,
  type ServiceProcess,
  startProcess,
} from '../support/processes/service-process.js';
import { type Application, signIn } from '../support/service/application.js';
import {
  API_KEY,
  type ParcelService,
  parcels,
  startParcelService,
  writeFiles,
} from '../support/upstreams/parcels.js';

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
const TSC = path.join(path.dirname(resolve('typescript/package.json')), 'bin', 'tsc');
const CODEGEN = fileURLToPath(new URL('../../../codegen/dist/main.js', import.meta.url));
const CORE = fileURLToPath(new URL('../../../core', import.meta.url));

let upstream: ParcelService;
let schemas: string;
let service: ServiceProcess;
let application: Application;

beforeAll(async () => {
  upstream = await startParcelService();
  schemas = writeFiles(newFolder(), parcels);
  const flags = [
    '--catalog',
    schemas,
    '--allowed-origins',
    `parcels=${upstream.url},webhooks=http://127.0.0.1:9`,
  ];
  service = await startProcess(await newSettings({ flags }));
  application = await signIn(service);
  const body = { connectionName: 'parcels', connector: 'parcels', baseUrl: upstream.url };
  await application.call('POST', '/v1/connections', { body });
  await application.call('PUT', '/v1/connections/parcels/accounts/shop', { body: { apiKey: API_KEY } });
});

afterAll(async () => {
  await service.kill();
  upstream.stop();
});

const execute = (toolName: string, body: object) =>
  application
    .call('GET', '/v1/connections/parcels/accounts/shop')
    .then((account) => account.json<{ id: string }>())
    .then(({ id }) =>
      application.call('POST', `/v1/tools/${toolName}/execute`, {
        body: { connectedAccountId: id, ...body },
      }),
    );

describe('a connector in a JSON folder', () => {
  test('lists its tools with their schemas', async () => {
    const reply = await application.call('GET', '/v1/tools?connector=parcels');
    expect(reply.json()).toMatchObject({
      items: [
        { name: 'parcels_hook_create' },
        { name: 'parcels_hook_delete' },
        { name: 'parcels_list', schemaVersion: '1.0.0', paging: { input: 'cursor' } },
        { name: 'parcels_send', schemaVersion: '2.0.0', inputSchema: { required: ['to', 'grams'] } },
      ],
    });
    const connector = await application.call('GET', '/v1/connectors/parcels');
    expect(connector.json()).toMatchObject({ title: 'Parcels', authType: 'api_key' });
  });

  test('runs its tools with defaults and in the requested version', async () => {
    const page = await execute('parcels_list', { toolInput: {} });
    expect(page.json()).toMatchObject({ data: { parcels: [{ id: 'p1' }, { id: 'p2' }], next: '2' } });
    const old = await execute('parcels_send', {
      toolInput: { address: 'Grace', weight: 250 },
      schemaVersion: '1.0.0',
    });
    expect(old.json()).toMatchObject({ data: { to: 'Grace', grams: 250 }, schemaVersion: '1.0.0' });
    expect(upstream.parcels.at(-1)).toMatchObject({ to: 'Grace', grams: 250 });
  });

  test('validates the inputs of its tools', async () => {
    const before = upstream.parcels.length;
    const reply = await execute('parcels_send', { toolInput: { to: 'Ada', grams: 0, colour: 'red' } });
    expect(reply.status).toBe(400);
    expect(reply.json()).toMatchObject({
      error: {
        code: 'invalid_input',
        details: {
          errors: expect.arrayContaining([expect.objectContaining({ field: 'grams', rule: 'minimum' })]),
        },
      },
    });
    expect(upstream.parcels).toHaveLength(before);
  });

  test('receives the webhooks of its upstream', async () => {
    const of = '/v1/connections/parcels/accounts/shop/webhooks';
    const types = ['parcels.parcel_sent'];
    // Port 9 of this machine refuses every connection, so the events stay in the list.
    const body = { url: 'http://127.0.0.1:9/', types };
    const endpoint = await application.call('POST', '/v1/webhook-endpoints', { body });
    expect(endpoint.status, endpoint.text).toBe(201);
    const created = await application.call('POST', of, { body: { trigger: 'parcel_sent' } });
    expect(created.status, created.text).toBe(201);
    const [[upstreamId, target] = []] = upstream.hooks;
    expect(created.json()).toMatchObject({ type: 'parcels.parcel_sent', upstreamId });
    const payloads = [
      { delivery: 'd1', parcel: { id: 'p9' } },
      { delivery: 'd1', attempt: 2 },
      { delivery: 'd2', parcel: { id: 'p9' } },
    ];
    for (const payload of payloads) {
      const headers = { 'content-type': 'application/json' };
      const sent = await fetch(target ?? '', { method: 'POST', headers, body: JSON.stringify(payload) });
      expect(sent.status).toBe(204);
    }
    await vi.waitFor(async () => {
      const events = await application.call('GET', `/v1/events?types=${types}`);
      expect(events.json()).toMatchObject({
        items: [{ data: { payload: payloads[0] } }, { data: { payload: payloads[2] } }],
      });
    }, 20_000);
    const { id } = created.json<{ id: string }>();
    expect((await application.call('DELETE', `${of}/${id}`)).status).toBe(204);
    expect(upstream.hooks.size).toBe(0);
  });

  test('is reachable through the proxy with its key', async () => {
    const reply = await application.call('GET', '/v1/proxy/parcels/shop/v1/parcels?limit=1');
    expect([reply.status, reply.json()]).toEqual([200, { parcels: [upstream.parcels[0]], next: '1' }]);
  });
});

// Program of a user of the generated package. Lines that must not compile are marked.
const PROGRAM = `
import { createClient } from '@svc/core';
import type { ServiceEvent } from '@svc/core/events';
import { parcels } from '@svc/parcels';

const svc = createClient();
const account = await svc.getOrCreateConnectedAccount({ connectionName: 'parcels', identifier: 'shop' });
const shop = parcels(svc, account);

const ids: string[] = [];
for await (const parcel of shop.list.each({ page_size: 2 })) ids.push(parcel.id);
const current = await shop.send({ to: 'Ada', grams: 700 });
const old = await shop.send({ schema_version: '1.0.0', address: 'Grace', weight: 800 });
const byName = await svc.executeTool({
  toolName: 'parcels_send',
  connectedAccountId: account.id,
  toolInput: { to: 'Linus', grams: 900 },
});
const grams: number = byName.data.grams;

export function weightOf(event: ServiceEvent): number | undefined {
  return event.type === 'parcels.parcel_sent' ? event.data.payload?.parcel.grams : undefined;
}

export const wrong = [
  // @ts-expect-error "grams" is missing
  () => shop.send({ to: 'Ada' }),
  // @ts-expect-error "colour" does not exist
  () => shop.send({ to: 'Ada', grams: 1, colour: 'red' }),
  // @ts-expect-error "grams" is a number
  () => shop.send({ to: 'Ada', grams: '1' }),
  // @ts-expect-error this is how the first version called it
  () => shop.send({ address: 'Ada', weight: 1 }),
  // @ts-expect-error there is no such version
  () => shop.send({ schema_version: '3.0.0', to: 'Ada', grams: 1 }),
  // @ts-expect-error the payload is typed
  (event: ServiceEvent) => event.type === 'parcels.parcel_sent' && event.data.payload?.parcel.color,
  // @ts-expect-error the result is typed
  () => byName.data.grams.length,
];

console.log(JSON.stringify({ ids, current: current.data, old, byName: byName.data, grams }));
`;

/** Creates a project that has installed the client and the generated package, compiles both, and returns its folder. */
async function compileProject(): Promise<string> {
  const folder = newFolder();
  const own = path.join(folder, 'packages', 'parcels');
  await run(process.execPath, [CODEGEN, '--schemas', schemas, '--out', path.dirname(own)]);
  const installed = path.join(folder, 'node_modules', '@svc');
  mkdirSync(installed, { recursive: true });
  symlinkSync(CORE, path.join(installed, 'core'));
  symlinkSync(own, path.join(installed, 'parcels'));
  const compilerOptions = {
    target: 'ES2023',
    lib: ['ES2024', 'DOM'],
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    types: [],
  };
  const built = { rootDir: `${own}/src`, outDir: `${own}/dist`, declaration: true };
  writeFiles(folder, {
    'package.json': { type: 'module' },
    'program.ts': PROGRAM,
    'tsconfig.package.json': { compilerOptions: { ...compilerOptions, ...built }, include: [`${own}/src`] },
    'tsconfig.json': { compilerOptions, include: ['program.ts'] },
  });
  for (const config of ['tsconfig.package.json', 'tsconfig.json']) {
    await run(process.execPath, [TSC, '-p', path.join(folder, config)], { cwd: folder });
  }
  return folder;
}

test('works in a typed program through its generated package', async () => {
  const folder = await compileProject();
  const before = upstream.parcels.map(({ id }) => id);
  const env = {
    SVC_ENVIRONMENT_URL: service.url,
    SVC_CLIENT_ID: service.clientId,
    SVC_CLIENT_SECRET: service.clientSecret,
  };
  const { stdout } = await run(process.execPath, [path.join(folder, 'program.js')], { env });
  expect(JSON.parse(stdout)).toMatchObject({
    ids: before,
    current: { to: 'Ada', grams: 700 },
    old: { data: { to: 'Grace', grams: 800 }, schemaVersion: '1.0.0' },
    byName: { to: 'Linus', grams: 900 },
    grams: 900,
  });
  expect(upstream.parcels.slice(before.length).map(({ to }) => to)).toEqual(['Ada', 'Grace', 'Linus']);
});

test.concurrent.for([
  {
    title: 'is not JSON',
    file: 'parcels/connector.json',
    content: '{ "id": "parcels", ',
    says: /\/parcels\/connector\.json: whole file: .*JSON/,
  },
  {
    title: 'has no title',
    file: 'parcels/connector.json',
    content: { id: 'parcels' },
    says: /\/parcels\/connector\.json: .*title/,
  },
  {
    title: 'refers to a missing type',
    file: 'parcels/types.json',
    content: { $defs: {} },
    says: /\/parcels\/tools\/parcels_list\.json: versions\[0\]\.output.*: .*ParcelPage/,
  },
  {
    title: 'has the name of another tool',
    file: 'parcels/tools/parcels_other.json',
    content: parcels['parcels/tools/parcels_list.json'],
    says: /\/parcels\/tools\/parcels_other\.json: name: .+/,
  },
])(
  'a file of the folder that $title stops the start with its path and the reason',
  async ({ file, content, says }, { expect }) => {
    const folder = writeFiles(newFolder(), { ...parcels, [file]: content });
    const env = { SVC_CATALOG: folder, SVC_DATA: newDataFolder() };
    const { code, stdout, stderr } = await runService({ env }).ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/\n\s+at /);
  },
);
