import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { CHECKS } from '../src/production/checks.js';
import { command, commandJson } from './command.js';
import { newFolder } from './new-folder.js';
import { newDataFolder, newPort, type RunOptions, runService } from './service-process.js';
import { isFull } from './support/rounds.js';

interface Wrong {
  /** The name of the check. */
  readonly name: string;
  readonly given: (data: string) => RunOptions;
  readonly says: RegExp;
}

const SECURE = {
  SVC_PRODUCTION: '1',
  SVC_ENVIRONMENT_URL: 'https://connect.example.com',
  SVC_ROOT_KEY: Buffer.alloc(32, 7).toString('base64'),
};
const SECRET = randomBytes(32).toString('base64url');
const NOBODY = 65_534;
const LISTS = ['SVC_ALLOWED_ORIGINS', 'SVC_TRUSTED_PROXIES'];
const TOGETHER = [...LISTS, 'SVC_ENVIRONMENT_URL'];

/** A file of that mode, in a folder of its own. */
function newFile(text: string, mode: number, name = 'file'): string {
  const file = path.join(newFolder(), name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

function makeFolder(folder: string, mode: number): string {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, mode);
  return folder;
}

const WRONGS: readonly Wrong[] = [
  {
    name: 'the sandbox',
    given: () => ({ flags: ['--sandbox'] }),
    says: /^--sandbox starts emulators .+; start without it\.$/,
  },
  {
    name: 'an environment URL without TLS',
    given: () => ({ env: { SVC_ENVIRONMENT_URL: 'HTTP://connect.example.com' } }),
    says: /^SVC_ENVIRONMENT_URL is http:.+; put TLS in front .+ https URL that users see\.$/,
  },
  {
    name: 'a public host without TLS',
    given: () => ({ env: { SVC_HOST: '0.0.0.0', SVC_ENVIRONMENT_URL: 'HTTP://connect.example.com' } }),
    says: /^SVC_HOST is 0\.0\.0\.0, .+ set it to an https URL, or SVC_HOST to 127\.0\.0\.1\.$/,
  },
  ...[
    'https://localhost:9000',
    'https://127.0.0.1',
    'https://2130706433',
    'https://10.1.2.3:8443',
    'https://192.168.0.1',
    'https://169.254.169.254',
    'https://100.100.100.200',
    'https://168.63.129.16',
    'https://[fd00:ec2::254]',
    'https://[::ffff:169.254.169.254]',
    'https://[fe80::1]',
    'https://metadata.google.internal.',
    'https://METADATA',
    'https://api.localhost',
  ].map((origin) => ({
    name: 'a listed origin inside the network',
    given: () => ({ env: { SVC_ALLOWED_ORIGINS: `calendar=https://up.example.com,video=${origin}` } }),
    says: /^SVC_ALLOWED_ORIGINS lists .+, an address of this machine, its network or its cloud; take it out\.$/,
  })),
  {
    name: 'a listed origin without TLS',
    given: () => ({ env: { SVC_ALLOWED_ORIGINS: 'calendar=http://up.example.com' } }),
    says: /^SVC_ALLOWED_ORIGINS lists http:\/\/up\.example\.com, .+; list its https origin\.$/,
  },
  ...['128.0.0.0/1', '2000::/3', '::ffff:0.0.0.0/96'].map((network) => ({
    name: 'a boundless trusted network',
    given: () => ({ env: { SVC_TRUSTED_PROXIES: `10.0.0.0/8,${network}` } }),
    says: /^SVC_TRUSTED_PROXIES trusts [0-9a-f:./]+, so that everybody chooses .+; name your reverse proxies alone\.$/,
  })),
  ...['52.0.0.0/8', '2a00::/16'].map((network) => ({
    name: 'a wide trusted network',
    given: () => ({ env: { SVC_TRUSTED_PROXIES: `fd00::/8,${network}` } }),
    says: /^SVC_TRUSTED_PROXIES trusts [0-9a-f:./]+, a very wide public network; name your reverse proxies alone\.$/,
  })),
  {
    name: 'no root key of its own',
    given: () => ({ env: { SVC_ROOT_KEY: '' } }),
    says: /^There is no root key, .+; set SVC_ROOT_KEY, best to a key of a key service\.$/,
  },
  ...[0o777, 0o750, 0o705].map((mode) => ({
    name: 'a data folder that is open to others',
    given: (data: string) => ({ env: { SVC_DATA: makeFolder(data, mode) } }),
    says: /^.+ has the mode 07\d\d, which lets others in; run `chmod go-rwx .+`, .+\.$/,
  })),
  {
    name: 'a data folder that is open to others',
    given: () => ({ env: { SVC_DATA: path.dirname(newFile('', 0o644, 'svc.db')) } }),
    says: /^.+svc\.db has the mode 0644, which lets others in; run `chmod go-rwx .+svc\.db`, .+\.$/,
  },
  ...[0o666, 0o640].map((mode) => ({
    name: 'a key or secret file that is open to others',
    given: () => ({ env: { SVC_ROOT_KEY: `file:${newFile(SECURE.SVC_ROOT_KEY, mode)}` } }),
    says: /^.+file has the mode 06\d\d, which lets others in; run `chmod go-rwx .+`, and replace its secrets .+\.$/,
  })),
  {
    name: 'a key or secret file that is open to others',
    given: () => ({ env: { SVC_FIRST_CLIENT_SECRET: `file:${newFile(SECRET, 0o604)}` } }),
    says: /^.+file has the mode 0604, which lets others in; run `chmod go-rwx .+`, and replace .+\.$/,
  },
  {
    name: 'a catalogue that others may write',
    given: () => ({ env: { SVC_CATALOG: makeFolder(path.join(newFolder(), 'own'), 0o777) } }),
    says: /^.+own has the mode 0777, which lets others in; run `chmod go-w .+own`, .+\.$/,
  },
  {
    name: 'first secrets that nobody took away',
    given: () => ({ env: { SVC_DATA: path.dirname(newFile('', 0o600, 'first-secrets')) } }),
    says: /^.+first-secrets still holds the secrets of the first start; keep them elsewhere, and delete it\.$/,
  },
  ...['a'.repeat(256), 'secret-of-the-test'].map((secret) => ({
    name: 'a client secret that can be guessed',
    given: () => ({ env: { SVC_FIRST_CLIENT_SECRET: secret } }),
    says: /^SVC_FIRST_CLIENT_SECRET can be guessed; give one that `openssl .+` prints, or leave it out/,
  })),
  ...['passwordpassword', 'aaaaaaaaaaaaaaaaaaaaaaaa', 'Summer-2026!'].map((password) => ({
    name: 'an operator password that can be guessed',
    given: () => ({ env: { SVC_FIRST_OPERATOR_PASSWORD: password } }),
    says: /^SVC_FIRST_OPERATOR_PASSWORD can be guessed; give one that is longer .+, or leave it out/,
  })),
  ...['', '?sslmode=disable', '?sslmode=no-verify', '?uselibpqcompat=true&sslmode=require'].map((query) => ({
    name: 'a database across the network without TLS',
    given: () => ({ env: { DATABASE_URL: `postgres://me:hush@192.0.2.1/svc${query}` } }),
    says: /^DATABASE_URL leads to 192\.0\.2\.1 without a verified certificate; add \?sslmode=verify-full to it\.$/,
  })),
  {
    name: 'certificates that are not verified',
    given: () => ({ env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } }),
    says: /^NODE_TLS_REJECT_UNAUTHORIZED is 0, .+; unset it, and name further authorities in NODE_EXTRA_CA_CERTS\.$/,
  },
  ...['--insecure-http-parser', '--tls-min-v1.0', '--inspect=127.0.0.1:0'].map((option) => ({
    name: 'options of Node.js that open the process',
    given: () => ({ env: { NODE_OPTIONS: `--max-old-space-size=512 ${option}` } }),
    says: /^Node\.js runs with --[a-z0-9.-]+, which lets others .+; start without it\.$/,
  })),
  {
    name: 'traces of Node.js',
    given: () => ({ env: { NODE_DEBUG: 'nothing-that-exists' } }),
    says: /^NODE_DEBUG makes Node\.js print what is sent, with its secrets; unset it\.$/,
  },
];

const isDoubt = (name: string) => CHECKS.find((check) => check.name === name)?.isDoubt === true;

/** The sentences of a list, as it is printed. */
const sentencesIn = (text: string): string[] =>
  [...text.matchAll(/^ {2}- (.+)$/gm)].map(([, sentence = '']) => sentence);

const filesIn = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String).sort() : ['nothing at all'];

/** What a start in production with this alone being wrong comes to. */
async function startWith({ given }: Pick<Wrong, 'given'>, flags: readonly string[] = []) {
  const data = newDataFolder();
  const wrong = given(data);
  const env = { SVC_DATA: data, SVC_PORT: String(await newPort()), ...SECURE, ...wrong.env };
  const before = filesIn(env.SVC_DATA);
  const ended = await runService({ flags: [...(wrong.flags ?? []), ...flags], env }).ended;
  return { ...ended, leavesNothing: filesIn(env.SVC_DATA).join() === before.join() };
}

/** As many checks broken at once as go together. */
function everythingWrong({ but = [] }: { readonly but?: readonly string[] } = {}) {
  const env: Record<string, string> = {};
  const flags: string[] = [];
  const wrongs: Wrong[] = [];
  for (const wrong of WRONGS.filter(({ name }) => !but.includes(name))) {
    const { env: own = {}, flags: ownFlags = [] } = wrong.given(newDataFolder());
    const isTaken = Object.keys(own).some((name) => name in env && !TOGETHER.includes(name));
    if (isTaken || wrongs.some(({ name }) => name === wrong.name)) continue;
    for (const [name, value] of Object.entries(own)) {
      env[name] = name in env && LISTS.includes(name) ? `${env[name]},${value}` : value;
    }
    flags.push(...ownFlags);
    wrongs.push(wrong);
  }
  return { env, flags, wrongs };
}

function expectEachOnce(text: string, wrongs: readonly Wrong[]): void {
  const sentences = sentencesIn(text);
  for (const { name, says } of wrongs) {
    const found = sentences.filter((sentence) => says.test(sentence)).length;
    expect({ name, found }).toEqual({ name, found: 1 });
  }
  expect(sentences).toHaveLength(wrongs.length);
}

async function startSecure(
  given: RunOptions & { readonly data?: string },
  onTestFinished: (work: () => void) => void,
) {
  const { data = newDataFolder(), env = {}, flags = [] } = given;
  const port = String(await newPort());
  const run = runService({
    flags,
    env: { SVC_DATA: data, SVC_PORT: port, SVC_LOG_LEVEL: 'silent', ...SECURE, ...env },
  });
  onTestFinished(() => run.signal('SIGKILL'));
  await run.printed(/openapi\.json/);
  return { ...run, data, url: `http://localhost:${port}` };
}

// What happens before there is a database is the same for each.
describe.skipIf(inject('postgres') !== undefined)('what only development may do', () => {
  test('there is something wrong for every check, and a check for everything wrong', () => {
    const names = [...new Set(WRONGS.map(({ name }) => name))];
    expect(names.sort()).toEqual(CHECKS.map(({ name }) => name).sort());
  });

  const alone = WRONGS.filter(({ name }) => !isDoubt(name));
  test.runIf(isFull).concurrent.for(alone.map((wrong, index) => ({ ...wrong, index })))(
    'N4: production refuses $name ($index) in a sentence, and leaves nothing behind',
    { timeout: 180_000 },
    async (wrong, { expect: expectIn }) => {
      const { code, stdout, stderr, leavesNothing } = await startWith(wrong);
      expectIn({ code, stdout, leavesNothing }).toEqual({ code: 1, stdout: '', leavesNothing: true });
      expectIn(stderr).toContain('SVC_PRODUCTION=1 refuses this start:\n');
      const sentences = sentencesIn(stderr);
      expectIn(sentences.filter((sentence) => wrong.says.test(sentence))).toHaveLength(1);
      expectIn(stderr).not.toMatch(/hush|\n {4}at /);
    },
  );

  test('N4: production refuses all of it at once, each in its sentence, and leaves nothing behind', async () => {
    const { wrongs, env, flags } = everythingWrong();
    expect(wrongs.length).toBeGreaterThan(CHECKS.length - 4);
    const { code, stdout, stderr, leavesNothing } = await startWith({ given: () => ({ env, flags }) });
    expect({ code, stdout, leavesNothing }).toEqual({ code: 1, stdout: '', leavesNothing: true });
    expectEachOnce(
      stderr,
      wrongs.filter(({ name }) => !isDoubt(name)),
    );
  });

  test('N4: development starts with it, and says once what production would refuse', async ({
    onTestFinished,
  }) => {
    const but = ['the sandbox', 'a database across the network without TLS'];
    const { wrongs, env, flags } = everythingWrong({ but });
    const { stdout } = await startSecure({ flags, env: { ...env, SVC_PRODUCTION: '0' } }, onTestFinished);
    const [, refused = '', doubtful = ''] =
      /with SVC_PRODUCTION=1 it would be refused:\n(.+)Look at this:\n(.+)$/s.exec(stdout()) ?? [];
    expectEachOnce(
      refused,
      wrongs.filter(({ name }) => !isDoubt(name)),
    );
    expectEachOnce(
      doubtful,
      wrongs.filter(({ name }) => isDoubt(name)),
    );
  });

  test('--check says the same without a start, and ends with 1', async () => {
    const { wrongs, env, flags } = everythingWrong();
    const { code, stdout, stderr, leavesNothing } = await startWith({ given: () => ({ env, flags }) }, [
      '--check',
    ]);
    expect({ code, stderr, leavesNothing }).toEqual({ code: 1, stderr: '', leavesNothing: true });
    expectEachOnce(stdout, wrongs);
  });

  test('--check is content with a start that production takes', async () => {
    const checked = await startWith({ given: () => ({}) }, ['--check']);
    expect(checked).toEqual({ code: 0, stdout: 'Production starts so.\n', stderr: '', leavesNothing: true });
  });

  test('production starts, and says what it only doubts', async ({ onTestFinished }) => {
    const env = { SVC_TRUSTED_PROXIES: '52.0.0.0/8' };
    const { stdout, data } = await startSecure({ env }, onTestFinished);
    expect(stdout()).not.toContain('it would be refused');
    expect(sentencesIn(stdout())).toEqual([
      expect.stringMatching(/^SVC_TRUSTED_PROXIES trusts 52\.0\.0\.0\/8, /),
    ]);
    expect(existsSync(path.join(data, 'root.key'))).toBe(false);
  });

  test('a service for development says which of its applications are marked production', async ({
    onTestFinished,
  }) => {
    const data = newDataFolder();
    const place = { env: { ...SECURE, SVC_PRODUCTION: '0', SVC_DATA: data } };
    const verifyUrl = 'https://app.example.com/verify';
    expect((await command(place, 'migrate')).code).toBe(0);
    const made = await commandJson<{ clientId: string }>(
      place,
      ...['apps', 'create', 'Real', '--production', '--verify-url', verifyUrl],
    );
    const { stdout } = await startSecure({ data, env: { SVC_PRODUCTION: '0' } }, onTestFinished);
    expect(sentencesIn(stdout())).toEqual([
      `The application ${made.clientId} is marked production, and this service is not: set SVC_PRODUCTION=1.`,
    ]);
  });

  test.runIf(process.getuid?.() === 0)(
    'files of another user are refused, but for those of the system',
    async () => {
      const file = newFile(SECURE.SVC_ROOT_KEY, 0o600);
      chownSync(file, NOBODY, NOBODY);
      const { code, stderr } = await startWith({ given: () => ({ env: { SVC_ROOT_KEY: `file:${file}` } }) });
      expect(code).toBe(1);
      expect(sentencesIn(stderr)).toEqual([
        `${file} belongs to the user ${NOBODY}; \`chown\` it to the user of the service.`,
      ]);
    },
  );
});
