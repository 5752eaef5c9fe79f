import { chownSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { CHECKS } from '../../src/production/checks.js';
import { command, commandJson } from '../support/processes/command.js';
import { newPort } from '../support/processes/new-port.js';
import { newDataFolder, type RunOptions, runService } from '../support/processes/service-process.js';
import { newFile, SECURE, WRONGS, type Wrong } from '../support/processes/wrong-starts.js';
import { isFull } from '../support/runner/rounds.js';

const NOBODY = 65_534;
// Timeout in ms. Processes start slowly when many start at once.
const SLOW = { timeout: 180_000 };
const LISTS = ['SVC_ALLOWED_ORIGINS', 'SVC_TRUSTED_PROXIES'];
const TOGETHER = [...LISTS, 'SVC_ENVIRONMENT_URL'];

const isDoubt = (name: string) => CHECKS.find((check) => check.name === name)?.isDoubt === true;

/** Returns the items of a list that the service printed, without their dashes. */
const sentencesIn = (text: string): string[] =>
  [...text.matchAll(/^ {2}- (.+)$/gm)].map(([, sentence = '']) => sentence);

const filesIn = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String).sort() : ['nothing at all'];

/** Starts the service in production with one wrong setting. */
async function startWith({ given }: Pick<Wrong, 'given'>, flags: readonly string[] = []) {
  const data = newDataFolder();
  const wrong = given(data);
  const env = { SVC_DATA: data, SVC_PORT: String(await newPort()), ...SECURE, ...wrong.env };
  const before = filesIn(env.SVC_DATA);
  const ended = await runService({ flags: [...(wrong.flags ?? []), ...flags], env }).ended;
  return { ...ended, leavesNothing: filesIn(env.SVC_DATA).join() === before.join() };
}

/**
 * Combines as many settings of WRONGS as possible for a single start. Skips a setting that would overwrite an earlier
 * one.
 */
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
    const count = sentences.filter((sentence) => says.test(sentence)).length;
    expect({ name, count }).toEqual({ name, count: 1 });
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

// SQLite only, because these checks run before the database opens.
describe.skipIf(inject('postgres') !== undefined)('the production checks', () => {
  test('every check has a failing example, and every example a check', () => {
    const names = [...new Set(WRONGS.map(({ name }) => name))];
    expect(names.sort()).toEqual(CHECKS.map(({ name }) => name).sort());
  });

  const alone = WRONGS.filter(({ name }) => !isDoubt(name));
  test.runIf(isFull).concurrent.for(alone.map((wrong, index) => ({ ...wrong, index })))(
    'N4: production refuses $name ($index) in a sentence and leaves no data behind',
    SLOW,
    async (wrong, { expect: expectIn }) => {
      const { code, stdout, stderr, leavesNothing } = await startWith(wrong);
      expectIn({ code, stdout, leavesNothing }).toEqual({ code: 1, stdout: '', leavesNothing: true });
      expectIn(stderr).toContain('The service cannot start with SVC_PRODUCTION=1. Fix these settings:\n');
      const sentences = sentencesIn(stderr);
      expectIn(sentences.filter((sentence) => wrong.says.test(sentence))).toHaveLength(1);
      expectIn(stderr).not.toMatch(/hush|\n {4}at /);
    },
  );

  test('N4: production reports every problem at once and leaves no data behind', async () => {
    const { wrongs, env, flags } = everythingWrong();
    expect(wrongs.length).toBeGreaterThan(CHECKS.length - 5);
    const { code, stdout, stderr, leavesNothing } = await startWith({ given: () => ({ env, flags }) });
    expect({ code, stdout, leavesNothing }).toEqual({ code: 1, stdout: '', leavesNothing: true });
    expectEachOnce(
      stderr,
      wrongs.filter(({ name }) => !isDoubt(name)),
    );
  });

  test('--check names a root key beside the data, but a start in production accepts it', async () => {
    const wrong = WRONGS.find(({ name }) => name === 'a root key beside the data');
    const { code, stdout } = await startWith(wrong ?? { given: () => ({}) }, ['--check']);
    expect(code).toBe(0);
    expect(sentencesIn(stdout).filter((sentence) => wrong?.says.test(sentence))).toHaveLength(1);
  });

  test('N4: development starts and reports once what production would refuse', async ({ onTestFinished }) => {
    const but = ['the sandbox', 'a database across the network without TLS'];
    const { wrongs, env, flags } = everythingWrong({ but });
    const { stdout } = await startSecure({ flags, env: { ...env, SVC_PRODUCTION: '0' } }, onTestFinished);
    const [, refused = '', doubtful = ''] =
      /Before you set SVC_PRODUCTION=1, fix:\n(.+)Check these settings:\n(.+)$/s.exec(stdout()) ?? [];
    expectEachOnce(
      refused,
      wrongs.filter(({ name }) => !isDoubt(name)),
    );
    expectEachOnce(
      doubtful,
      wrongs.filter(({ name }) => isDoubt(name)),
    );
  });

  test('--check reports the same problems without a start and exits with 1', async () => {
    const { wrongs, env, flags } = everythingWrong();
    const { code, stdout, stderr, leavesNothing } = await startWith({ given: () => ({ env, flags }) }, [
      '--check',
    ]);
    expect({ code, stderr, leavesNothing }).toEqual({ code: 1, stderr: '', leavesNothing: true });
    expectEachOnce(stdout, wrongs);
  });

  test('--check exits with 0 when production would start', async () => {
    const checked = await startWith({ given: () => ({}) }, ['--check']);
    expect(checked).toEqual({
      code: 0,
      stdout: 'The service can start with SVC_PRODUCTION=1.\n',
      stderr: '',
      leavesNothing: true,
    });
  });

  test.concurrent.for([
    {
      title: 'an invalid root key',
      env: { SVC_ROOT_KEY: 'garbage' },
      says: /^SVC_ROOT_KEY is not a root key\. /,
    },
    {
      title: 'a missing root key file',
      env: { SVC_ROOT_KEY: 'file:/nowhere/at/all' },
      says: /^The root key file \/nowhere\/at\/all does not exist\. /,
    },
    {
      title: 'an invalid previous root key',
      env: { SVC_PREVIOUS_ROOT_KEYS: 'garbage' },
      says: /^Entry 1 of SVC_PREVIOUS_ROOT_KEYS is not a root key\. /,
    },
    {
      title: 'a missing catalogue',
      env: { SVC_CATALOG: '/nowhere/at/all' },
      says: /^\/nowhere\/at\/all: whole file: the folder does not exist; create it, or correct the path\n$/,
    },
    {
      title: 'allowed origins of an unknown connector',
      env: { SVC_ALLOWED_ORIGINS: 'foo=https://x.example.com' },
      says: /^SVC_ALLOWED_ORIGINS lists the unknown connector "foo"\. /,
    },
  ])('--check reports the same error as the start: $title', SLOW, async ({ env, says }, { expect }) => {
    const start = await startWith({ given: () => ({ env }) });
    expect(start).toMatchObject({ code: 1, stdout: '', leavesNothing: true });
    expect(start.stderr).toMatch(says);
    const stdout = `The service cannot start with SVC_PRODUCTION=1. Fix these settings:\n  - ${start.stderr}`;
    const checked = await startWith({ given: () => ({ env }) }, ['--check']);
    expect(checked).toEqual({ code: 1, stdout, stderr: '', leavesNothing: true });
  });

  test('--check reports at once the errors of several starts', async () => {
    const { code, stdout } = await startWith(
      { given: () => ({ env: { SVC_ROOT_KEY: 'garbage', SVC_CATALOG: '/nowhere/at/all' } }) },
      ['--check'],
    );
    expect(code).toBe(1);
    expect(sentencesIn(stdout)).toEqual([
      expect.stringMatching(/^\/nowhere\/at\/all: /),
      expect.stringMatching(/^SVC_ROOT_KEY is not a root key\. /),
    ]);
  });

  test('production starts and prints its warnings', async ({ onTestFinished }) => {
    const env = { SVC_TRUSTED_PROXIES: '52.0.0.0/8' };
    const { stdout, data } = await startSecure({ env }, onTestFinished);
    expect(stdout()).not.toContain('it would be refused');
    expect(sentencesIn(stdout())).toEqual([
      expect.stringMatching(/^SVC_TRUSTED_PROXIES trusts 52\.0\.0\.0\/8, /),
    ]);
    expect(existsSync(path.join(data, 'root.key'))).toBe(false);
  });

  test('a development start names its applications that are marked production', async ({
    onTestFinished,
  }) => {
    const data = newDataFolder();
    const setup = { env: { ...SECURE, SVC_PRODUCTION: '0', SVC_DATA: data } };
    const verifyUrl = 'https://app.example.com/verify';
    expect((await command(setup, 'migrate')).code).toBe(0);
    const made = await commandJson<{ clientId: string }>(
      setup,
      ...['apps', 'create', 'Real', '--production', '--verify-url', verifyUrl],
    );
    const { stdout } = await startSecure({ data, env: { SVC_PRODUCTION: '0' } }, onTestFinished);
    expect(sentencesIn(stdout())).toEqual([
      `The application ${made.clientId} is marked production, but the service runs without SVC_PRODUCTION=1. Set SVC_PRODUCTION to 1.`,
    ]);
  });

  test.runIf(process.getuid?.() === 0)(
    'production refuses files of another user, except those of root',
    async () => {
      const file = newFile(SECURE.SVC_ROOT_KEY, 0o600);
      chownSync(file, NOBODY, NOBODY);
      const { code, stderr } = await startWith({ given: () => ({ env: { SVC_ROOT_KEY: `file:${file}` } }) });
      expect(code).toBe(1);
      expect(sentencesIn(stderr)).toEqual([
        `${file} belongs to the user ${NOBODY}. Give it to the user of the service with \`chown\`.`,
      ]);
    },
  );
});
