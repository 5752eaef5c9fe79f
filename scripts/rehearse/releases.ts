import { appendFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assertContains } from '../assert-contains.ts';
import type { Manifest } from '../workspace.ts';
import { commit } from './clone.ts';
import type { Registry } from './registry.ts';
import { run, writeFiles } from './workplace.ts';

/** Package versions by package name. */
export type Versions = Readonly<Record<string, string>>;

/** Cloned repository and local registry of a rehearsed release. */
export interface Releasing {
  readonly clone: string;
  readonly registry: Registry;
}

/** Returns a PATH variable on which the executables of the cloned repository come first. */
const pathOf = (clone: string): string =>
  [
    path.join(clone, 'node_modules/.bin'),
    path.join(clone, 'scripts/node_modules/.bin'),
    process.env['PATH'],
  ].join(path.delimiter);

/**
 * Makes a release in the cloned repository as the release workflow does: versions, commit, clean build, checks, and
 * publishing to the local registry.
 */
export async function release({ clone, registry }: Releasing): Promise<Versions> {
  const PATH = pathOf(clone);
  const forge = { GITHUB_SERVER_URL: 'https://forge.example.com', GITHUB_REPOSITORY: 'rehearsal/svc' };
  const build = ['--skip-infer', 'run', 'build', '--filter=@svc/codegen...', '--output-logs=errors-only'];
  await run('turbo', build, { cwd: clone, env: { PATH } });
  // A clone of a released commit has no changesets. Its versions are published as they are.
  if (globSync('.changeset/*.md', { cwd: clone }).length > 0) {
    await run('node', ['scripts/release/release-version.ts'], { cwd: clone, env: { PATH } });
    await commit(clone, 'Release');
  }
  expectShortChangelogs(clone);
  await run('node', ['scripts/release/release-publish.ts'], {
    cwd: clone,
    env: { ...registry.env, ...forge, PATH },
  });
  await run('git', ['checkout', '--quiet', '--', '.'], { cwd: clone });
  return latestVersions({ clone, registry });
}

/** Checks that every changelog names the updated dependencies of a release in one line. */
function expectShortChangelogs(clone: string): void {
  for (const file of globSync('packages/{*,connectors/*}/CHANGELOG.md', { cwd: clone })) {
    const [, latest = ''] = readFileSync(path.join(clone, file), 'utf8').split(/^## /m);
    const lines = latest.split('\n').filter((line) => /Updated dependencies|^ +- @svc/.test(line));
    if (lines.length > 1) throw new Error(`${file} has ${lines.length} lines about updated dependencies.`);
  }
}

async function latestVersions({ clone, registry }: Releasing): Promise<Versions> {
  const names = globSync('packages/{*,connectors/*}/package.json', { cwd: clone }).flatMap((file) => {
    const { name, private: isPrivate } = JSON.parse(readFileSync(path.join(clone, file), 'utf8')) as Manifest;
    return isPrivate ? [] : [name];
  });
  const entries = await Promise.all(
    names
      .sort()
      .map(async (name): Promise<[string, string]> => [name, (await readManifest(registry, name)).version]),
  );
  return Object.fromEntries(entries);
}

/** Reads the package.json of a published package from the local registry. */
export async function readManifest({ url }: Registry, name: string, version = 'latest') {
  const response = await fetch(`${url}${name.replace('/', '%2f')}/${version}`);
  return (await response.json()) as {
    version: string;
    repository?: { url: string; directory: string };
    dependencies?: Readonly<Record<string, string>>;
    peerDependencies?: Readonly<Record<string, string>>;
  };
}

const CORE = 'packages/core/src/create-client.ts';
const TOOLS = 'schemas/calendar/tools';

/**
 * Changes the cloned repository between two releases. Checks that check-released.ts rejects an edited released tool,
 * and requires changesets for a patch of core and a new tool.
 */
export async function changeAfterRelease({ clone }: Releasing): Promise<void> {
  const env = { PATH: pathOf(clone) };
  const check = (expects: number) =>
    run('node', ['scripts/checks/check-released.ts'], { cwd: clone, env, expects });
  await check(0);

  const listed = path.join(clone, TOOLS, 'calendar_list_calendars.json');
  const text = readFileSync(listed, 'utf8');
  writeFileSync(listed, text.replace('"maximum": 250', '"maximum": 200'));
  assertContains(await check(1), [
    'calendar_list_calendars 1.0.0 input',
    'a released version must not change',
  ]);
  writeFileSync(listed, text);

  writeFiles(clone, {
    [`${TOOLS}/calendar_list_all_calendars.json`]: text.replace(
      'calendar_list_calendars',
      'calendar_list_all_calendars',
    ),
  });
  appendFileSync(path.join(clone, CORE), '\n// A patch.\n');
  await commit(clone, 'A patch of the client, and a tool');
  assertContains(await check(1), [
    '@svc/calendar has no changeset',
    'minor',
    '@svc/core has no changeset',
    'patch',
  ]);
  await run(
    'node',
    [
      'packages/codegen/dist/main.js',
      '--schemas',
      'schemas',
      '--out',
      'packages/connectors',
      '--handlers',
      'packages/server/src/generated/handlers.ts',
    ],
    { cwd: clone, env },
  );
  await run('node', ['scripts/release/catalog-changeset.ts'], { cwd: clone, env });
  writeFiles(clone, { '.changeset/patch.md': "---\n'@svc/core': patch\n---\n\nA patch.\n" });
  await check(0);
  await run('turbo', ['--skip-infer', 'run', 'build', '--output-logs=errors-only'], { cwd: clone, env });
  assertContains(await run('node', ['scripts/checks/check-released-examples.ts'], { cwd: clone, env }), [
    'of the last release compile',
  ]);
  await commit(clone, 'Their changesets');
}
