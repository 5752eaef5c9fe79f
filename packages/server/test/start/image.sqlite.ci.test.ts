import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, globSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newFolder } from '../support/processes/new-folder.js';
import { newPort } from '../support/processes/new-port.js';

const SERVER = path.join(import.meta.dirname, '../..');
const DOCKERFILE = readFileSync(path.join(SERVER, 'Dockerfile'), 'utf8');
const USER = 10_001;
/** Parses an instruction of the Dockerfile that contains a JSON array, such as the command of the health check. */
const commandOf = (instruction: string): readonly string[] =>
  JSON.parse(new RegExp(`^${instruction}.*?(\\[.*\\])$`, 'm').exec(DOCKERFILE)?.[1] ?? '[]');
// True if root runs the tests, as in continuous integration. Only root may run a command in another root folder
// (chroot).
const isRoot = process.getuid?.() === 0;

const image = newFolder();
let port: number;

/**
 * Arguments that run a command of the image as the user of the image. The files of the image alone must suffice,
 * because it has no shell.
 */
const inImage = (command: readonly string[]) =>
  [
    '/usr/sbin/chroot',
    [`--userspec=${USER}:${USER}`, image, ...command],
    { env: { SVC_HOST: '0.0.0.0', SVC_DATA: '/data', SVC_PORT: String(port) } },
  ] as const;

interface Entry {
  readonly file: string;
  readonly size: number;
  readonly changedAt: number;
}

/** Lists the files of the image outside the data folder. */
const filesOf = (): readonly Entry[] =>
  globSync(['**/*', '**/.pnpm/**/*'], { cwd: image })
    .filter((file) => !file.startsWith('data'))
    .map((file) => {
      const { size, mtimeMs } = lstatSync(path.join(image, file));
      return { file, size, changedAt: mtimeMs };
    });

beforeAll(async () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [path.join(SERVER, 'build/assemble-image.ts'), image],
    {
      encoding: 'utf8',
    },
  );
  expect({ status, stderr: stderr.replace(/^\(node:.*\n.*\n/gm, '') }).toEqual({ status: 0, stderr: '' });
  port = await newPort();
  if (isRoot) chownSync(path.join(image, 'data'), USER, USER);
});

afterAll(() => {
  service?.kill('SIGKILL');
});

let service: ReturnType<typeof spawn> | undefined;

test('the image is smaller than 200 MB', () => {
  const bytes = filesOf().reduce((sum, { size }) => sum + size, 0);
  expect(bytes / 1e6).toBeLessThan(200);
  expect(bytes / 1e6).toBeGreaterThan(100);
});

test.runIf(isRoot)(
  'the image runs as an unprivileged user, stops within five seconds and writes only to its data folder',
  async () => {
    const before = filesOf();
    const started = spawn(...inImage(commandOf('ENTRYPOINT')));
    service = started;
    const exit = new Promise<number | null>((resolve) => started.once('exit', resolve));
    let printed = '';
    await new Promise<void>((resolve, reject) => {
      started.stderr?.on('data', (chunk) => (printed += chunk));
      started.stdout?.on('data', (chunk) => {
        printed += chunk;
        if (/is ready on/.test(printed)) resolve();
      });
      void exit.then((code) => reject(new Error(`The image ended with ${code}: ${printed}`)));
    });
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    expect(spawnSync(...inImage(commandOf('HEALTHCHECK'))).status).toBe(0);
    const stoppedAt = performance.now();
    started.kill('SIGTERM');
    expect(await exit).toBe(0);
    expect(performance.now() - stoppedAt).toBeLessThan(5000);
    expect(spawnSync(...inImage(commandOf('HEALTHCHECK'))).status).toBe(1);
    expect(filesOf()).toEqual(before);
  },
);

const COMPOSE = readFileSync(path.join(SERVER, 'compose.yaml'), 'utf8').replaceAll(/^ *#.*$/gm, '');

test('the compose file sets only variables that the service or its database knows', () => {
  const settings = readFileSync(path.join(SERVER, '../docs/operations/settings.md'), 'utf8');
  const names = [...COMPOSE.matchAll(/^ +([A-Z_]+):/gm)].flatMap(([, name = '']) => name);
  expect(names).toContain('DATABASE_URL');
  const unknown = names.filter((name) => !name.startsWith('POSTGRES_') && !settings.includes(`\`${name}\``));
  expect(unknown).toEqual([]);
});

test('the database of the compose file is safe enough for production', () => {
  const [, databaseUrl = ''] = /DATABASE_URL: (\S+)/.exec(COMPOSE) ?? [];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(SERVER, 'dist/main.js'), '--check'],
    {
      encoding: 'utf8',
      env: {
        DATABASE_URL: databaseUrl,
        SVC_DATA: newFolder(),
        SVC_ENVIRONMENT_URL: 'https://connect.example.com',
        SVC_ROOT_KEY: randomBytes(32).toString('base64'),
        SVC_TRUSTED_PROXIES: '172.18.0.1',
      },
    },
  );
  expect({ status, stderr, stdout }).toEqual({
    status: 0,
    stderr: '',
    stdout: 'The service can start with SVC_PRODUCTION=1.\n',
  });
});
