import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { newFolder } from '../support/processes/new-folder.js';
import { runService } from '../support/processes/service-process.js';

const SERVER = path.join(import.meta.dirname, '../..');
const { version, peerDependencies } = JSON.parse(readFileSync(path.join(SERVER, 'package.json'), 'utf8'));
const CALLED = 'npm was called:';

let installed: string;
let npm: string;

/** Links all packages of a folder, except the sandbox, into an installation without it. */
function linkPackages(folder: string): void {
  for (const name of readdirSync(path.join(SERVER, 'node_modules', folder))) {
    const link = path.join(installed, 'node_modules', folder, name);
    if (name === '@svc') continue;
    mkdirSync(path.dirname(link), { recursive: true });
    if (path.join(folder, name) !== '@svc/sandbox')
      symlinkSync(path.join(SERVER, 'node_modules', folder, name), link);
  }
}

beforeAll(() => {
  installed = path.join(newFolder(), '_npx/1');
  mkdirSync(installed, { recursive: true });
  cpSync(path.join(SERVER, 'dist'), path.join(installed, 'dist'), { recursive: true });
  cpSync(path.join(SERVER, 'package.json'), path.join(installed, 'package.json'));
  for (const folder of ['', '@svc']) linkPackages(folder);
  npm = path.join(installed, 'npm-cli.mjs');
  const script = `console.log('${CALLED}' + JSON.stringify(process.argv.slice(2)));`;
  // Fake npm: it installs unless OFFLINE is set. With `--port` it runs until it is stopped, as a service does;
  // otherwise it exits with 3.
  const installing = "if (process.argv.includes('node')) process.exit(process.env.OFFLINE ? 7 : 0);";
  const lasting = "if (process.argv.includes('--port')) setInterval(() => {}, 1000); else process.exit(3);";
  writeFileSync(npm, `process.on('SIGTERM', () => process.exit(4));\n${script}\n${installing}\n${lasting}\n`);
});

const projectOf = (): string => {
  const project = newFolder();
  cpSync(installed, project, { recursive: true, verbatimSymlinks: true });
  return project;
};
const run = (flags: readonly string[], env = {}, folder = installed) =>
  runService({
    flags,
    env: { npm_lifecycle_event: 'npx', npm_execpath: npm, ...env },
    main: path.join(folder, 'dist/main.js'),
    cwd: folder,
  });
const packages = [
  ...['--package', `@svc/server@${version}`],
  ...['--package', `@svc/sandbox@${peerDependencies['@svc/sandbox']}`],
];

test('npx with only the service says what it installs, restarts with the sandbox and passes its exit code on', async () => {
  const { code, stdout, stderr } = await run(['--sandbox', '--log-level', 'warn']).ended;
  const calls = [
    ['exec', ...packages, '--', 'node', '-e', '0'],
    ['exec', '--prefer-offline', ...packages, '--', 'svc-server', '--sandbox', '--log-level', 'warn'],
  ];
  expect(code).toBe(3);
  expect(stdout).toBe(calls.map((call) => `${CALLED}${JSON.stringify(call)}\n`).join(''));
  expect(stderr.split('\n')).toEqual([
    expect.stringMatching(
      /^npx now installs @svc\/sandbox, which --sandbox needs, and then starts @svc\/server@\S+ with /,
    ),
    '',
  ]);
});

test('npx that cannot install the sandbox says what to do and exits with an error', async () => {
  const { code, stderr } = await run(['--sandbox'], { OFFLINE: '1' }).ended;
  expect(code).toBe(7);
  expect(stderr).toMatch(/npx could not install @svc\/sandbox.*npm ping/);
});

test('a signal reaches the service that npx restarted', async () => {
  const service = run(['--sandbox', '--port', '4400']);
  await service.printed(/svc-server/);
  service.signal('SIGTERM');
  expect((await service.ended).code).toBe(4);
});

test.each([
  { title: 'npx got explicit packages', flags: ['--sandbox'], env: { npm_config_package: '@svc/server' } },
  { title: 'an npm script runs', flags: ['--sandbox'], env: { npm_lifecycle_event: 'start' } },
  { title: 'npm is not involved', flags: ['--sandbox'], env: { npm_lifecycle_event: '', npm_execpath: '' } },
])('a missing sandbox prints how to install it when $title', async ({ flags, env }) => {
  const { code, stdout, stderr } = await run(flags, env).ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('npm install @svc/sandbox');
});

test('npx in a project that has only the service prints at once how to install the sandbox', async () => {
  const { code, stdout, stderr } = await run(['--sandbox'], {}, projectOf()).ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('npm install @svc/sandbox');
});

test('a service with a sandbox, or without the flag, does not call npx', async () => {
  const alone = await run(['-v']).ended;
  const env = { npm_lifecycle_event: 'npx', npm_execpath: npm };
  const help = await runService({ flags: ['--sandbox', '-h'], env }).ended;
  expect([alone.stdout, help.stdout.split('\n')[0]]).toEqual([
    `${version}\n`,
    'svc-server: the agent connector service',
  ]);
});
