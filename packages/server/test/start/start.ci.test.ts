import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'vitest';
import { newFolder } from '../support/processes/new-folder.js';
import { newPort } from '../support/processes/new-port.js';
import { newDataFolder, newSettings, runService } from '../support/processes/service-process.js';
import { type Finish, startUntilFinished, takePort } from '../support/processes/start-until-finished.js';
import { fetchReply, signIn } from '../support/service/application.js';
import { signInOperator } from '../support/service/operator.js';

// Timeout in ms. Processes start slowly when many start at once.
const SLOW = { timeout: 180_000 };

test.concurrent.for([
  { flag: '--help', prints: /^svc-server: .+\n\nUsage: svc-server .+--catalog +SVC_CATALOG/s },
  { flag: '--version', prints: /^\d+\.\d+\.\d+\n$/ },
])('$flag prints and exits', SLOW, async ({ flag, prints }, { expect }) => {
  const data = newDataFolder();
  const { code, stdout, stderr } = await runService({ flags: [flag], env: { SVC_DATA: data } }).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(prints);
  expect(() => statSync(data)).toThrow('ENOENT');
});

test.concurrent(
  'help prints the help, also of a group, with the command that runs it in this installation',
  SLOW,
  async ({ expect }) => {
    const run = (...flags: string[]) =>
      runService({ flags, env: { SVC_DATA: newDataFolder(), SVC_COMMAND: 'npm run svc --' } }).ended;
    expect((await run('help')).stdout).toMatch(
      /^svc-server: .+\n\nUsage: npm run svc -- \[--sandbox .+\n {7}npm run svc -- <command> /,
    );
    expect((await run('help', 'operators')).stdout).toMatch(/^Usage: npm run svc -- operators <command> /);
    expect(await run('apps', 'creat')).toMatchObject({
      code: 2,
      stderr: 'There is no command "apps creat". Did you mean "apps create"?\n',
    });
    expect((await run('nothing')).stderr).toContain('`npm run svc -- --help` lists the commands.');
  },
);

test.concurrent(
  'the banner of the first start follows the log lines of this start',
  SLOW,
  async ({ expect, onTestFinished }) => {
    const env = { SVC_PORT: String(await newPort()), SVC_DATA: newDataFolder(), SVC_LOG_LEVEL: 'info' };
    const run = runService({ env });
    onTestFinished(() => run.signal('SIGKILL'));
    await run.printed(/openapi\.json/);
    const [logged = ''] = run.stdout().split('is ready on');
    expect(logged).toContain('operator.link_created');
  },
);

test.concurrent(
  'the compile cache of Node is stored in the data folder, also in the default one',
  SLOW,
  async ({ expect }) => {
    const cwd = newFolder();
    for (const folder of ['compiled', 'data/compiled'])
      mkdirSync(path.join(cwd, folder), { recursive: true });
    await runService({ flags: ['--version'], env: { SVC_DATA: '', NODE_COMPILE_CACHE: '' }, cwd }).ended;
    expect(readdirSync(path.join(cwd, 'compiled'))).toEqual([]);
    expect(readdirSync(path.join(cwd, 'data/compiled'))).not.toEqual([]);
  },
);

const SETTING = (name: string) => new RegExp(`${name}=(\\S+)`);

/** Reads the secrets that the first start generated, and the file's mode, which must allow only the owner. */
function readFirstSecrets(data: string) {
  const file = path.join(data, 'first-secrets');
  const text = readFileSync(file, 'utf8');
  const [clientSecret = '', password = ''] = ['SVC_CLIENT_SECRET', 'SVC_OPERATOR_PASSWORD'].map(
    (name) => SETTING(name).exec(text)?.[1],
  );
  return { file, mode: (statSync(file).mode & 0o777).toString(8), clientSecret, password };
}

/** Reads the sign-in link of the first owner, and the file's mode, which must allow only the owner. */
function readSignInLink(data: string) {
  const file = path.join(data, 'sign-in-link');
  const [page, token = ''] = readFileSync(file, 'utf8').trim().split('#');
  return { file, mode: (statSync(file).mode & 0o777).toString(8), page, token };
}

const openLink = (url: string, token: string) =>
  fetchReply(`${url}/operator/v1/session/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });

interface Health {
  readonly production: { readonly refused: readonly string[] };
}

interface Plain {
  readonly port: string;
  readonly data: string;
  readonly flags?: readonly string[];
}

/** Starts the service with almost no settings, as a new operator does, and returns its output. */
async function startPlainly({ port, data, flags = [] }: Plain, onTestFinished: Finish) {
  const run = runService({ flags, env: { SVC_PORT: port, SVC_DATA: data, SVC_LOG_LEVEL: 'silent' } });
  onTestFinished(() => run.signal('SIGKILL'));
  await run.printed(/openapi\.json/);
  const [clientId] = SETTING('SVC_CLIENT_ID').exec(run.stdout())?.slice(1) ?? [];
  return { ...run, url: `http://localhost:${port}`, clientId };
}

test.concurrent(
  'the first start creates an application and stores its secrets in a file unless on a terminal',
  SLOW,
  async ({ expect, onTestFinished }) => {
    const setup = { port: String(await newPort()), data: newDataFolder() };
    const first = await startPlainly(setup, onTestFinished);
    const { url, clientId = '' } = first;
    const { file, mode, clientSecret, password } = readFirstSecrets(setup.data);
    expect(mode).toBe('600');
    expect(first.stdout()).toContain(`is ready on ${url}\n`);
    expect(first.stdout()).toContain(`The secrets of this first start are in ${file}, `);
    expect(first.stdout()).toContain('Operator: admin, with the password in that file\n');
    const operator = await signInOperator({ url, name: 'admin', password });
    expect((await operator.call('GET', '/session')).json()).toMatchObject({ name: 'admin' });
    first.signal('SIGTERM');
    expect(await first.ended).toMatchObject({ code: 0, stderr: '' });
    for (const secret of [clientSecret, password]) expect(first.stdout()).not.toContain(secret);

    const second = await startPlainly(setup, onTestFinished);
    expect(second.clientId).toBe(clientId);
    expect(second.stdout()).toContain(`The secrets of the first start are in ${file}.`);
    expect(second.stdout()).toContain(`${file} still contains the secrets of the first start.`);
    expect(second.stdout()).not.toMatch(/Operator:|SVC_CLIENT_SECRET=/);
    const { call } = await signIn({ url, clientId, clientSecret });
    expect((await call('GET', '/v1/connections')).json()).toEqual({ items: [] });
  },
);

test.concurrent(
  'each development start creates a link that signs the first owner in once',
  SLOW,
  async ({ expect, onTestFinished }) => {
    const setup = { port: String(await newPort()), data: newDataFolder() };
    const first = await startPlainly(setup, onTestFinished);
    const { url } = first;
    const unused = readSignInLink(setup.data);
    expect(unused).toMatchObject({ mode: '600', page: `${url}/dashboard/sign-in` });
    expect(first.stdout()).toContain(`once and within 15 minutes: the link is in ${unused.file}`);
    first.signal('SIGTERM');
    await first.ended;

    const second = await startPlainly(setup, onTestFinished);
    const { token, mode } = readSignInLink(setup.data);
    expect([mode, token]).toEqual(['600', expect.not.stringMatching(unused.token)]);
    expect((await openLink(url, token)).json()).toMatchObject({ name: 'admin', role: 'owner' });
    expect((await openLink(url, token)).status).toBe(401);
    expect((await openLink(url, unused.token)).status).toBe(200);
    expect(first.stdout() + second.stdout()).not.toContain(token);
  },
);

test.concurrent(
  'a failed first start leaves the secrets to the next start',
  SLOW,
  async ({ expect, onTestFinished }) => {
    const { port, free } = await takePort(onTestFinished);
    const data = newDataFolder();
    const { code } = await runService({ env: { SVC_PORT: port, SVC_DATA: data } }).ended;
    expect(code).toBe(1);
    await free();
    const { url, clientId = '' } = await startPlainly({ port, data }, onTestFinished);
    const { clientSecret } = readFirstSecrets(data);
    expect((await signIn({ url, clientId, clientSecret })).accessToken).toMatch(/^svc_at_/);
  },
);

test.concurrent(
  'the data files are readable only by the user of the service',
  SLOW,
  async ({ expect, onTestFinished }) => {
    const { data } = await startUntilFinished(await newSettings(), onTestFinished);
    const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);
    expect([modeOf(data), modeOf(path.join(data, 'root.key'))]).toEqual(['700', '600']);
    const files = readdirSync(data).filter((file) => file.startsWith('svc.db'));
    expect(files.map((file) => modeOf(path.join(data, file)))).toEqual(files.map(() => '600'));
  },
);

test.concurrent(
  'the health of a service with a sandbox lists what production would refuse, like the start',
  SLOW,
  async ({ expect, onTestFinished }) => {
    const setup = { port: String(await newPort()), data: newDataFolder() };
    const flags = ['--sandbox', '--sandbox-port', String(await newPort())];
    const { url, stdout } = await startPlainly({ ...setup, flags }, onTestFinished);
    const { password } = readFirstSecrets(setup.data);
    const operator = await signInOperator({ url, name: 'admin', password });
    const { production } = (await operator.call('GET', '/health')).json<Health>();
    expect(production.refused).toContainEqual(expect.stringMatching(/^--sandbox starts emulators/));
    expect(production.refused.filter((sentence) => sentence.includes('SVC_ALLOWED_ORIGINS'))).toEqual([]);
    for (const sentence of production.refused) expect(stdout()).toContain(`  - ${sentence}\n`);
  },
);

test.concurrent('/healthz and /readyz respond 200', SLOW, async ({ expect, onTestFinished }) => {
  const { url } = await startUntilFinished(await newSettings(), onTestFinished);
  for (const path of ['/healthz', '/readyz']) expect((await fetchReply(url + path)).status).toBe(200);
});
