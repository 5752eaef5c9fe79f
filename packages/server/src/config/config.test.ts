import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../test/support/processes/new-folder.js';
import { readConfig } from './config.js';
import { SETTINGS, settingsHelp } from './settings.js';
import { UsageError } from './usage-error.js';

test('every setting that is not a secret has a default', () => {
  expect(readConfig([], {})).toEqual({
    production: false,
    plainRuntime: false,
    port: 4400,
    host: '127.0.0.1',
    data: './data',
    environmentUrl: 'http://localhost:4400',
    proxyAddress: { port: 4402, url: 'http://localhost:4402', isConfigured: false },
    clientMetadataUrl: undefined,
    rootKey: undefined,
    previousRootKeys: [],
    catalogFolders: [],
    allowedOrigins: [],
    trustedProxies: [],
    maxConnections: 10_000,
    maxConnectionsPerAddress: 1000,
    log: { level: 'info', access: false, slowMs: 10_000 },
    rates: { application: 50, user: 20, account: 10, address: 50 },
    databaseConnections: 20,
    egressProxies: { https: undefined, http: undefined, all: undefined, direct: [] },
    concurrency: 1000,
    maxUpload: 250,
    agentWait: 50,
    responseMemory: 128,
    retention: { executions: 14, audit: 400, ended: 0, unused: 90 },
    sandbox: false,
    sandboxPort: 4401,
    firstClientId: undefined,
    firstClientSecret: undefined,
    firstOperatorPassword: undefined,
  });
});

test('a flag overrides its environment variable, and an empty variable counts as unset', () => {
  const env = { SVC_PORT: '5000', SVC_HOST: '', SVC_DATA: '/var/lib/svc' };
  expect(readConfig(['--port', '6000'], env)).toMatchObject({
    port: 6000,
    host: '127.0.0.1',
    data: '/var/lib/svc',
    environmentUrl: 'http://localhost:6000',
  });
});

test('lists are separated by commas, and origins lose their path', () => {
  const env = {
    SVC_CATALOG: '/a, /b,',
    SVC_ALLOWED_ORIGINS: 'calendar=http://localhost:9000/base, video=HTTPS://X.example.com:443',
    SVC_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
  };
  expect(readConfig([], env)).toMatchObject({
    catalogFolders: ['/a', '/b'],
    allowedOrigins: [
      { connector: 'calendar', origin: 'http://localhost:9000' },
      { connector: 'video', origin: 'https://x.example.com' },
    ],
    trustedProxies: ['10.0.0.0/8', '::1'],
  });
});

test.each([
  ['https://connect.example.com/', 'https://connect.example.com'],
  ['HTTPS://Connect.Example.COM', 'https://connect.example.com'],
  ['https://connect.example.com:443//', 'https://connect.example.com'],
  ['https:connect.example.com', 'https://connect.example.com'],
  ['https://connect.example.com:8443', 'https://connect.example.com:8443'],
  ['HTTPS://connect.example.com/Agents/', 'https://connect.example.com/Agents'],
  ['https://connect.example.com/a/../b', 'https://connect.example.com/b'],
  ['https://connect.example.com//a///b//', 'https://connect.example.com/a/b'],
  ['http://LOCALHOST:80', 'http://localhost'],
])('the environment URL %s is %s', (given, environmentUrl) => {
  expect(readConfig(['--environment-url', given], {}).environmentUrl).toBe(environmentUrl);
});

test.each([
  {
    title: 'two above the service port',
    flags: ['--port', '5000'],
    address: { port: 5002, url: 'http://localhost:5002', isConfigured: false },
  },
  {
    title: 'as configured',
    flags: ['--proxy-port', '6000'],
    address: { port: 6000, url: 'http://localhost:6000', isConfigured: false },
  },
  { title: 'off in production', flags: ['--production', '1'], address: undefined },
  {
    title: 'on in production when its URL is set',
    flags: ['--production', '1', '--proxy-url', 'https://proxy.example.com/'],
    address: { port: 4402, url: 'https://proxy.example.com', isConfigured: true },
  },
])('the proxy port is $title', ({ flags, address }) => {
  expect(readConfig(flags, {}).proxyAddress).toEqual(address);
});

test.each([
  ...['http', '-1', '0', '65536', '44 00', '4e3', '0x10'].map((port) => ['--port', port]),
  ...[
    'connect.example.com',
    'ftp://connect.example.com',
    '/connect',
    'https://me@connect.example.com',
    'https://:pass@connect.example.com',
    'https://connect.example.com?a=b',
    'https://connect.example.com/#a',
  ].map((url) => ['--environment-url', url]),
  ...['0', '70000', '4400'].map((port) => ['--proxy-port', port]),
  ...['proxy.example.com', 'https://proxy.example.com/path', 'https://proxy.example.com?a=b'].map((url) => [
    '--proxy-url',
    url,
  ]),
  ...[
    'calendar=https://ok.example.com,nonsense',
    'http://localhost:9000',
    'http://localhost:9000?to=calendar',
    '=http://localhost:9000',
    'calendar=',
    'calendar=localhost:9000',
    'calendar=ftp://localhost',
  ].map((value) => ['--allowed-origins', value]),
  ...['0', '-1', '1e3', 'many'].map((count) => ['--concurrency', count]),
  ...['0', '10.5'].map((count) => ['--rate-account', count]),
  ...['proxy.example.com', '10', '10.0.0.0/33', '*', '0.0.0.0/0', '::/0'].map((proxy) => [
    '--trusted-proxies',
    proxy,
  ]),
  ...['yes', 'true'].map((production) => ['--production', production]),
  ...['0', '-1', '1.5', '36501', 'ever'].map((days) => ['--keep-executions', days]),
  ...['0', '3', 'all'].map((count) => ['--database-connections', count]),
  ['--keep-audit', '0'],
  ['--keep-ended', '1d'],
  ['--log-access', 'yes'],
  ['--log-slow', '0'],
  ['--log-level', 'loud'],
])('refuses %s "%s"', (flag, value) => {
  const { env = '' } = SETTINGS[flag.slice(2)] ?? {};
  expect(() => readConfig([`${flag}=${value}`], {})).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      message: expect.stringMatching(
        new RegExp(`^${env} ((is|contains) ".*"[.,] |has a user name, password, query or fragment\\. )`),
      ),
    }),
  );
});

test.each(['https://me:hidden@connect.example.com', 'ftp://me:hidden@connect.example.com'])(
  'K8: the error about the URL %s does not contain its password',
  (url) => {
    const read = () => readConfig([], { SVC_ENVIRONMENT_URL: url });
    expect(read).toThrow(/^SVC_ENVIRONMENT_URL .* Set it to .*https:/);
    expect(read).not.toThrow(/hidden/);
  },
);

test.each([
  { title: 'a client id with a line break', env: 'SVC_FIRST_CLIENT_ID', value: 'a\nb' },
  { title: 'a short client secret', env: 'SVC_FIRST_CLIENT_SECRET', value: 'short' },
  { title: 'a client secret with a space', env: 'SVC_FIRST_CLIENT_SECRET', value: 'two words here' },
  { title: 'a short password', env: 'SVC_FIRST_OPERATOR_PASSWORD', value: 'eleven-char' },
])('refuses $title', ({ env, value }) => {
  expect(() => readConfig([], { [env]: value })).toThrow(
    new RegExp(
      `^${env} must have \\d+ to 256 visible ASCII characters\\. Change it, or omit it to get a random one\\.$`,
    ),
  );
});

test('the help names every setting, as a variable and, unless it is a secret, as an option, with its default', () => {
  for (const [name, { env, fallback, isSecret }] of Object.entries(SETTINGS)) {
    const end = fallback === undefined ? '' : `\\(default: ${fallback}\\)$`;
    expect(settingsHelp()).toMatch(new RegExp(`^  ${isSecret ? '' : `--${name}`} +${env} .*${end}`, 'm'));
  }
});

const SECRETS = Object.entries(SETTINGS).filter(([, { isSecret }]) => isSecret);

test('the list of secret settings is complete', () => {
  const names = SECRETS.map(([name]) => name);
  expect(names).toEqual([
    'database-url',
    'metrics-token',
    'root-key',
    'previous-root-keys',
    'https-proxy',
    'http-proxy',
    'all-proxy',
    'first-client-secret',
    'first-operator-password',
  ]);
});

const OTHERS = Object.entries(SETTINGS).filter(([, { isSecret }]) => !isSecret);

// An unset FOLDER in `--data "$FOLDER"` gives an empty flag.
test.each(OTHERS)('an empty --%s is refused, and an empty variable counts as unset', (name, { env }) => {
  const message = `--${name} is empty. Set a value, or omit the option.`;
  for (const args of [[`--${name}`, ''], [`--${name}=`]]) {
    expect(() => readConfig(args, { [env]: '1' })).toThrow(new UsageError(message));
  }
  expect(readConfig([], { [env]: '' })).toEqual(readConfig([], {}));
});

test.each(SECRETS)(
  '--%s is refused because other processes see it, and the error names its variable',
  (name, { env }) => {
    const message = `--${name} would show a secret to every process of this machine. Set the variable ${env} instead, to the secret or to file:/path.`;
    for (const args of [[`--${name}`, 'hush'], [`--${name}=hush`], [`--${name}=`]]) {
      expect(() => readConfig(args, {})).toThrow(new UsageError(message));
    }
  },
);

test.each([
  { env: 'DATABASE_URL', field: 'databaseUrl', value: 'postgres://me:hush@db.example/svc' },
  { env: 'SVC_FIRST_CLIENT_SECRET', field: 'firstClientSecret', value: 'hush-hush-hush' },
  { env: 'SVC_FIRST_OPERATOR_PASSWORD', field: 'firstOperatorPassword', value: 'hush-hush-hush' },
])('$env can name a file with the value', ({ env, field, value }) => {
  const file = path.join(newFolder(), 'secret');
  writeFileSync(file, `${value}\n`);
  expect(readConfig([], { [env]: `file:${file}` })).toMatchObject({ [field]: value });
  expect(() => readConfig([], { [env]: `file:${file}.not` })).toThrow(
    `${env} is "file:${file}.not", but this file cannot be read`,
  );
});

test.each([
  'http://a.example/c',
  'https://a.example',
  'https://a.example/',
  'https://me@a.example/c',
  'https://a.example/c#d',
])('%s is refused as the URL of client metadata', (url) => {
  expect(() => readConfig([], { SVC_CLIENT_METADATA_URL: url })).toThrow(/^SVC_CLIENT_METADATA_URL is/);
});

test.each(['https://static.example.com/client.json', 'none'])(
  '%s is accepted as the URL of client metadata',
  (url) => {
    expect(readConfig([], { SVC_CLIENT_METADATA_URL: url }).clientMetadataUrl).toBe(url);
  },
);

test.each(['a.example, b.example', 'a.example b.example', 'a.example,\tb.example '])(
  'NO_PROXY=%j has two entries',
  (value) => {
    expect(readConfig([], { NO_PROXY: value }).egressProxies.direct).toEqual(['a.example', 'b.example']);
  },
);

test.each([
  { env: { ALL_PROXY: 'a:1' }, proxies: { all: 'http://a:1/' } },
  { env: { all_proxy: 'http://a:1' }, proxies: { all: 'http://a:1/' } },
  { env: { HTTPS_PROXY: 'b:2', ALL_PROXY: 'a:1' }, proxies: { https: 'http://b:2/', all: 'http://a:1/' } },
  { env: { HTTP_PROXY: 'b:2', ALL_PROXY: 'a:1' }, proxies: { http: 'http://b:2/', all: 'http://a:1/' } },
  {
    env: { HTTPS_PROXY: 'b:2', HTTP_PROXY: 'c:3', ALL_PROXY: 'socks5://a:1' },
    proxies: { https: 'http://b:2/', http: 'http://c:3/' },
  },
])('the proxies of $env are $proxies', ({ env, proxies }) => {
  expect(readConfig([], env).egressProxies).toEqual({ ...proxies, direct: [] });
});

test.each(['ALL_PROXY', 'all_proxy', 'HTTPS_PROXY', 'http_proxy'])(
  '%s with a scheme other than http and https is refused',
  (name) => {
    for (const scheme of ['socks5', 'socks5h', 'socks4', 'socks'])
      expect(() => readConfig([], { [name]: `${scheme}://ada:hush@proxy.example:1080` })).toThrow(
        `${name.toUpperCase()} is not the URL of an HTTP proxy. Set it to one such as http://proxy.example.com:3128.`,
      );
  },
);
