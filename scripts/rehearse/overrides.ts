import assert from 'node:assert/strict';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Registry } from './registry.ts';
import { readManifest } from './releases.ts';
import type { Tools } from './tools.ts';
import { newFolder, run, writeFiles } from './workplace.ts';

const SERVER = '@svc/server';
const DIST = `node_modules/${SERVER}/dist`;

/**
 * Source of a module that records which overridden packages the process loads. It prints their names when the process
 * ends.
 */
const REPORT = `
process.on('exit', () => console.log('ran: ' + JSON.stringify([...(globalThis.overridden ?? [])].sort())));
`;

/**
 * Source of a program that is stored next to the built service. It imports each module of a dependency that the service
 * imports.
 */
const LOAD_ALL = `
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import './index.js';
const require = createRequire(import.meta.url);
const imports = /(from|import|import\\(|require\\()"((?:@[^"/]+\\/)?[^"/.][^"/]*(?:\\/[^"]+)?)"/g;
const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const isDependency = (name) => Object.keys(dependencies).some((each) => name === each || name.startsWith(each + '/'));
for (const file of globSync('*.js', { cwd: import.meta.dirname }))
  for (const [, kind, name] of readFileSync(new URL(file, import.meta.url), 'utf8').matchAll(imports))
    if (isDependency(name)) kind === 'require(' ? require(name) : await import(name);
`;

const copyName = (name: string): string => `@svc/overridden-${name.replace('@', '').replace('/', '-')}`;

/** Adds a line to each module of a package that records the package's name in a global set when the module runs. */
function mark(folder: string, name: string): void {
  for (const file of globSync('**/*.{js,mjs,cjs}', { cwd: folder })) {
    const module = path.join(folder, file);
    const text = readFileSync(module, 'utf8');
    const marker = `(globalThis.overridden ??= new Set()).add(${JSON.stringify(name)});\n`;
    if (!text.startsWith('#!')) writeFileSync(module, marker + text);
  }
}

/** Publishes a marked copy of an installed package to the local registry, under another name. */
async function publishCopy(npm: string, { env }: Registry, installed: string, name: string): Promise<void> {
  const folder = newFolder('override');
  cpSync(path.join(installed, 'node_modules', name), folder, {
    recursive: true,
    filter: (source) =>
      !source.slice(installed.length + 'node_modules/'.length + name.length).includes('node_modules'),
  });
  const file = path.join(folder, 'package.json');
  const {
    scripts: _,
    devDependencies: _dev,
    publishConfig: _config,
    ...manifest
  } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...manifest, name: copyName(name), private: false }));
  mark(folder, name);
  await run(process.execPath, [npm, 'publish', '--ignore-scripts'], { cwd: folder, env });
}

async function ranBy(cwd: string, args: readonly string[]): Promise<readonly string[]> {
  const output = await run(process.execPath, ['--import', './report.mjs', ...args], { cwd });
  return JSON.parse(/^ran: (.*)$/m.exec(output)?.[1] ?? '[]');
}

/**
 * Overrides every direct dependency of the service in a project. Checks that the overriding copies run, in the service
 * and in each module that it loads later.
 */
export async function overrideDependencies({ find }: Tools, registry: Registry): Promise<string> {
  const { version, dependencies = {} } = await readManifest(registry, SERVER);
  const names = Object.keys(dependencies).sort();
  const npm = find('npm/bin/npm-cli.js') ?? 'npm';
  const install = (cwd: string) =>
    run(process.execPath, [npm, 'install', '--no-audit', '--no-fund'], { cwd, env: registry.env });
  const project = { private: true, type: 'module', dependencies: { [SERVER]: version } };

  const original = newFolder('original');
  writeFiles(original, { 'package.json': project });
  await install(original);
  for (const name of names) await publishCopy(npm, registry, original, name);

  const cwd = newFolder('overridden');
  const overrides = Object.fromEntries(names.map((name) => [name, `npm:${copyName(name)}`]));
  writeFiles(cwd, { 'package.json': { ...project, overrides }, 'report.mjs': REPORT });
  await install(cwd);
  writeFiles(cwd, { [`${DIST}/load-all.mjs`]: LOAD_ALL });
  const migrated = await ranBy(cwd, [`${DIST}/main.js`, 'migrate']);
  assert.ok(
    migrated.includes('better-sqlite3') && migrated.includes('@svc/catalog'),
    `The command "migrate" did not load the replaced dependencies, only ${migrated}.`,
  );
  assert.deepEqual(await ranBy(cwd, [`${DIST}/load-all.mjs`]), names);
  return `${names.length} dependencies, each replaced in what runs`;
}
