import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Application, ClientSecret } from '../../src/applications/application.js';
import { type CommandSetup, command, commandJson, newSetup } from '../support/processes/command.js';
import { newFolder } from '../support/processes/new-folder.js';
import { newPort } from '../support/processes/new-port.js';
import { type ServiceProcess, startProcess } from '../support/processes/service-process.js';
import { signIn } from '../support/service/application.js';
import { SVG, svgUrl } from '../support/service/logos.js';

let setup: CommandSetup;
let service: ServiceProcess;

beforeAll(async () => {
  setup = await newSetup();
  const own = { port: await newPort(), clientId: 'app_test', clientSecret: 'secret-of-the-test' };
  service = await startProcess({ ...setup, ...own });
  return () => service.kill();
});

const create = (name: string, ...options: string[]) =>
  commandJson<{ clientId: string; clientSecret: string }>(setup, 'apps', 'create', name, ...options);

test('apps creates, lists, shows and changes an application while the service runs', async () => {
  const { clientId, clientSecret } = await create('Notes', '--redirect-url', 'https://notes.example/done');
  const { call } = await signIn({ url: service.url, clientId, clientSecret });
  expect((await call('GET', '/v1/connections')).json()).toEqual({ items: [] });

  const listed = await command(setup, 'apps', 'list');
  expect(listed.stdout).toMatch(new RegExp(`^${clientId} +Notes +no +20`, 'm'));

  const verify = ['--verify-url', 'https://notes.example/verify'];
  const changed = await commandJson<Application>(
    setup,
    'apps',
    'change',
    clientId,
    '--production',
    ...verify,
  );
  expect(changed).toMatchObject({ production: true, redirectUrls: ['https://notes.example/done'] });
  const details = await command(setup, 'apps', 'show', clientId);
  expect(details.stdout).toMatch(/^production +yes\nverify URL +https:\/\/notes\.example\/verify$/m);
});

test('apps registers the origins of browsers and removes them', async () => {
  const { clientId } = await create(
    'Pages',
    '--origin',
    'https://b.example',
    '--origin',
    'http://localhost:3000',
  );
  const details = await command(setup, 'apps', 'show', clientId);
  expect(details.stdout).toMatch(/^origins +http:\/\/localhost:3000 https:\/\/b\.example$/m);
  const changed = await commandJson<Application>(
    setup,
    'apps',
    'change',
    clientId,
    '--origin',
    'https://c.example',
  );
  expect(changed.origins).toEqual(['https://c.example']);
  const without = await commandJson<Application>(setup, 'apps', 'change', clientId, '--no-origins');
  expect(without.origins).toEqual([]);
  expect(await command(setup, 'apps', 'change', clientId, '--origin', 'https://c.example/')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^"https:\/\/c\.example\/" is not an origin/),
  });
});

test('apps reads a logo from a file and removes it', async () => {
  const file = path.join(newFolder(), 'logo.svg');
  writeFileSync(file, SVG);
  const { clientId } = await create('Drawn', '--logo', file);
  expect(await commandJson<Application>(setup, 'apps', 'show', clientId)).toMatchObject({
    logo: svgUrl(SVG),
  });
  const changed = await commandJson<Application>(setup, 'apps', 'change', clientId, '--no-logo');
  expect(changed).toMatchObject({ name: 'Drawn', logo: null });
  const change = (logo: string) => command(setup, 'apps', 'change', clientId, '--logo', logo);
  expect(await change(`${file}.none`)).toMatchObject({
    code: 2,
    stderr: `The logo file ${file}.none cannot be read. Set --logo to a readable PNG or SVG file.\n`,
  });
  writeFileSync(file, 'GIF89a');
  expect(await change(file)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The logo is not a valid SVG document/),
  });
});

test('apps allows token import and turns it off again', async () => {
  const { clientId } = await create('Importing', '--allow-token-import');
  const details = await command(setup, 'apps', 'show', clientId);
  expect(details.stdout).toMatch(/^token import +allowed$/m);
  const changed = await commandJson<Application>(setup, 'apps', 'change', clientId, '--no-token-import');
  expect(changed).toMatchObject({ name: 'Importing', allowTokenImport: false });
});

test('apps change refuses contradictory and missing options', async () => {
  const change = (...options: string[]) => command(setup, 'apps', 'change', 'app_test', ...options);
  expect(await change('--production', '--development')).toMatchObject({
    code: 2,
    stderr: '--production and --development contradict each other. Use only one of them.\n',
  });
  expect(await change()).toMatchObject({ code: 2, stderr: expect.stringMatching(/^No change was given\. /) });
  expect(await change('--production')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^An application marked production needs a verify URL\. .+\n$/),
  });
});

test('A5: a revoked client secret and its tokens stop working in the running service within 5 s', async () => {
  const { clientId, clientSecret } = await create('Rotating');
  const old = await signIn({ url: service.url, clientId, clientSecret });
  const added = await commandJson<{ id: string; clientSecret: string }>(
    setup,
    'apps',
    'secrets',
    'add',
    clientId,
  );
  const third = await command(setup, 'apps', 'secrets', 'add', clientId);
  expect(third).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/already has the maximum of two client secrets/),
  });
  const current = await signIn({ url: service.url, clientId, clientSecret: added.clientSecret });
  const secrets = await commandJson<ClientSecret[]>(setup, 'apps', 'secrets', 'list', clientId);
  const first = secrets.find(({ id }) => id !== added.id);
  expect((await old.call('GET', '/v1/connections')).status).toBe(200);

  await commandJson(setup, 'apps', 'secrets', 'revoke', clientId, first?.id ?? '');
  await new Promise((resolve) => setTimeout(resolve, 5000));

  expect((await old.call('GET', '/v1/connections')).status).toBe(401);
  expect((await current.call('GET', '/v1/connections')).status).toBe(200);
  await expect(signIn({ url: service.url, clientId, clientSecret })).rejects.toThrow(/401/);
});

test('apps delete needs a confirmation and a stopped service for SQLite, and leaves no data', async () => {
  const { clientId } = await create('Short-lived');
  const remove = (...options: string[]) => command(setup, 'apps', 'delete', clientId, ...options);
  if (setup.env['DATABASE_URL'] === undefined) {
    const early = await remove('--yes');
    expect(early.code).toBe(1);
    expect(early.stderr).toMatch(/^Another process of the service uses .+svc\.db\. Stop it, .+\n$/);
    await service.kill();
  }
  expect(await remove()).toMatchObject({
    code: 2,
    stderr: `This permanently deletes the application "Short-lived" (${clientId}) with its connections, accounts and all other data. Nothing was changed yet. Add --yes to confirm.\n`,
  });
  expect(await command(setup, 'apps', 'show', clientId)).toMatchObject({ code: 0 });
  expect(await remove('--yes')).toMatchObject({ code: 0, stderr: '' });
  const missing = await command(setup, 'apps', 'show', clientId);
  expect(missing).toMatchObject({
    code: 1,
    stderr: `There is no application "${clientId}". \`svc-server apps list\` lists the ids.\n`,
  });
});
