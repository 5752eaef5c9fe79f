import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { compilePrograms, petsFiles, temporaryFolder, workspaceFiles, writeFiles } from '../test/fixture.js';
import { runCommand } from './run-command.js';

/** Creates a folder with schemas and a generated package, and a function that runs `svc-codegen` in the folder. */
async function generated() {
  const schemas = writeFiles(temporaryFolder(), petsFiles);
  const out = temporaryFolder();
  const run = (...args: readonly string[]) => runCommand(['--schemas', schemas, '--out', out, ...args]);
  await run();
  return { schemas, out, run, file: (path: string) => join(out, 'pets', path) };
}

/** Returns the files of a second connector, which has no tools. */
function catsFiles(schemas: string) {
  const pets = JSON.parse(readFileSync(join(schemas, 'pets/connector.json'), 'utf8'));
  return { 'cats/connector.json': { ...pets, id: 'cats' } };
}

function textsBelow(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [
      join(parentPath, name).slice(folder.length),
      readFileSync(join(parentPath, name), 'utf8'),
    ]),
  );
}

describe('svc-codegen', () => {
  test('writes the same bytes on every run', async () => {
    const [one, other] = [await generated(), await generated()];
    expect(textsBelow(one.out)).toEqual(textsBelow(other.out));
    const { lines, exitCode } = await one.run();
    expect([exitCode, lines]).toEqual([0, [expect.stringMatching(/^All \d+ files are up to date\.$/)]]);
  });

  test.each([
    {
      title: 'an edited file',
      path: 'src/generated/connector.ts',
      change: (path: string) => appendFileSync(path, '// mine'),
      message: 'out of date',
    },
    {
      title: 'a missing file',
      path: 'src/generated/shapes.ts',
      change: (path: string) => rmSync(path),
      message: 'out of date',
    },
    {
      title: 'an edited README',
      path: 'README.md',
      change: (path: string) => appendFileSync(path, 'mine'),
      message: 'out of date',
    },
    {
      title: 'a file of a removed tool',
      path: 'src/generated/tools/removed.ts',
      change: (path: string) => writeFileSync(path, ''),
      message: 'no longer generated',
    },
  ])(
    '--check fails on $title and writes nothing; the next run repairs it',
    async ({ path, change, message }) => {
      const { out, run, file } = await generated();
      const before = textsBelow(out);
      change(file(path));
      const drifted = textsBelow(out);
      const { exitCode, lines } = await run('--check');
      expect([exitCode, lines[0]]).toEqual([1, `${message}: ${file(path)}`]);
      expect(textsBelow(out)).toEqual(drifted);
      await run();
      expect(textsBelow(out)).toEqual(before);
      expect((await run('--check')).exitCode).toBe(0);
    },
  );

  test('removes every generated file of a removed connector', async () => {
    const { schemas, out, run, file } = await generated();
    const handlers = join(temporaryFolder(), 'handlers.ts');
    writeFiles(schemas, catsFiles(schemas));
    await run('--handlers', handlers);
    expect(readFileSync(handlers, 'utf8')).toContain('pets_');
    rmSync(join(schemas, 'pets'), { recursive: true });
    expect(await run('--check')).toMatchObject({
      exitCode: 1,
      lines: [`no longer generated: ${file('.')}`, expect.anything()],
    });
    expect((await run('--handlers', handlers)).exitCode).toBe(0);
    expect(Object.keys(textsBelow(out)).filter((path) => path.includes('pets'))).toEqual([]);
    expect(readFileSync(handlers, 'utf8')).not.toContain('pets');
  });

  test.each([
    {
      title: 'a key that occurs twice',
      content: '{ "$defs": { "Pet": {}, "Pet": {} } }',
      problem: '$defs.Pet: the object has the key "Pet" twice; remove one',
    },
    {
      title: 'Latin-1',
      content: Buffer.from('{ "Caf\u00e9": 1 }', 'latin1'),
      problem: 'whole file: the file is not UTF-8; save it in UTF-8',
    },
  ])('refuses a file with $title', async ({ content, problem }) => {
    const { schemas, run } = await generated();
    const path = join(schemas, 'pets/types.json');
    writeFileSync(path, content);
    const { lines, exitCode } = await run();
    expect(exitCode).toBe(1);
    expect(lines.join('\n')).toContain(`${path}: ${problem}`);
  });

  test('preserves values in package.json that a person changed', async () => {
    const { run, file } = await generated();
    const path = file('package.json');
    const own = { version: '3.2.1', dependencies: { '@svc/core': '^3.0.0' }, author: 'Ada', name: 'other' };
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...own }));
    await run();
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ ...own, name: '@svc/pets' });
  });

  test('reports the path of a file that it cannot read', async () => {
    const { schemas, out, run, file } = await generated();
    const path = file('package.json');
    const release = ['release', '--schemas', schemas, '--out', out];
    writeFileSync(path, '{');
    expect((await run()).lines).toEqual([
      expect.stringMatching(`^${path}: whole file: the file is not valid JSON`),
    ]);
    rmSync(path);
    expect((await runCommand(release)).lines).toEqual([
      `${path}: whole file: the file does not exist; run svc-codegen to generate the package`,
    ]);
  });

  test('adds recipes to the entry and the README and preserves the recipe files', async () => {
    const { run, file } = await generated();
    writeFiles(file('src'), {
      'recipes/index.ts': 'export const feed = 1;',
      'recipes/README.md': '## Recipes',
    });
    await run();
    const index = readFileSync(file('src/index.ts'), 'utf8');
    expect(index).toContain("export * from './recipes/index.js';");
    expect(index).toContain("from './generated/connector.js';");
    expect(readFileSync(file('README.md'), 'utf8')).toContain('\n\n## Recipes\n\n');
    expect(readFileSync(file('src/recipes/index.ts'), 'utf8')).toBe('export const feed = 1;');
    expect((await run('--check')).exitCode).toBe(0);
  });

  test('exports only recipes for a connector without tools', async () => {
    const { schemas, run, file } = await generated();
    rmSync(join(schemas, 'pets', 'tools'), { recursive: true });
    writeFiles(file('src'), { 'recipes/index.ts': 'export const pets = 1;' });
    await run();
    const index = readFileSync(file('src/index.ts'), 'utf8');
    expect(index).toMatch(
      /^[^\n]+\n\nexport type \* from '@svc\/core';\nexport \{[^}]+\} from '@svc\/core';\nexport \* from '.\/recipes\/index.js';\n$/,
    );
    expect(existsSync(file('src/generated/connector.ts'))).toBe(false);
    rmSync(join(schemas, 'pets'), { recursive: true });
    for (const args of [[], ['--check']])
      expect((await run(...args)).lines).toEqual([
        `delete this package, because its connector no longer exists: ${file('.')}`,
      ]);
  });

  test('generates only the connectors in --only', async () => {
    const { schemas, run } = await generated();
    writeFiles(schemas, catsFiles(schemas));
    const { lines } = await run('--only', 'cats');
    expect(lines.every((line) => line.includes('/cats/'))).toBe(true);
  });

  test.each([
    {
      title: 'an unknown connector',
      args: ['--only', 'dogs'],
      exitCode: 1,
      message: 'The connector "dogs" does not exist',
    },
    {
      title: 'a missing folder',
      args: ['--schemas', '/nowhere'],
      exitCode: 1,
      message: '/nowhere: whole file: the folder does not exist',
    },
    {
      title: 'a folder without connectors',
      args: ['--schemas', temporaryFolder(), '--out', temporaryFolder()],
      exitCode: 1,
      message: 'Create one with "svc-codegen new <id>"',
    },
  ])('refuses $title', async ({ args, exitCode, message }) => {
    const result = await (await generated()).run(...args);
    expect(result.exitCode).toBe(exitCode);
    expect(result.lines[0]).toContain(message);
  });

  const NEW = 'The command "new" needs one connector id, as in "svc-codegen new parcels".';
  test.each([
    { args: ['--force'], message: "Unknown option '--force'." },
    { args: ['diff', '--force'], message: "Unknown option '--force'." },
    { args: ['diff', 'pets'], message: "Unexpected argument 'pets'." },
    { args: ['new'], message: NEW },
    { args: ['new', 'cats', 'dogs'], message: NEW },
  ])('says what is wrong with the arguments $args', async ({ args, message }) => {
    const { exitCode, lines } = await runCommand(args);
    expect([exitCode, lines[0]]).toEqual([2, message]);
  });

  test.each(['--help', '-h'])('prints its help for %s', async (flag) => {
    const { exitCode, lines } = await runCommand([flag]);
    expect([exitCode, lines.join('\n')]).toEqual([0, expect.stringContaining('--check')]);
  });
});

describe('the second run of svc-codegen', () => {
  /**
   * Runs the generator in new folders with a node_modules folder, in which the generator stores the record of its run.
   */
  async function generatedWithCache() {
    const root = temporaryFolder();
    const schemas = writeFiles(join(root, 'schemas'), petsFiles);
    const out = join(root, 'packages');
    const modules = join(root, 'node_modules');
    mkdirSync(modules);
    mkdirSync(out);
    writeFiles(join(out, 'pets'), { 'src/recipes/index.ts': '', 'src/recipes/README.md': '## Recipes' });
    const run = (...args: readonly string[]) => runCommand(['--schemas', schemas, '--out', out, ...args]);
    await run();
    await run();
    const file = (path: string) => join(root, path);
    const deleteCache = () => rmSync(join(modules, '.cache'), { recursive: true });
    return { run, file, deleteCache };
  }

  test('reads no schema if nothing has changed', async () => {
    const { run } = await generatedWithCache();
    vi.doMock('@svc/catalog', () => {
      throw new Error('The catalogue was loaded.');
    });
    vi.resetModules();
    expect((await run()).lines).toEqual([expect.stringMatching(/^All \d+ files are up to date\.$/)]);
    await expect(run('--only', 'pets')).rejects.toThrow();
    vi.doUnmock('@svc/catalog');
  });

  const edit = (text: string) => (path: string) => appendFileSync(path, text);
  const remove = (path: string) => rmSync(path, { recursive: true });
  const addWorkspace = (path: string) => writeFiles(join(dirname(path), '../..'), workspaceFiles);
  const add = (path: string) => writeFiles(dirname(path), { [basename(path)]: 'export {};' });
  test.each([
    { title: 'an edited schema', path: 'schemas/pets/tools/pets_ping.json', change: edit('x') },
    { title: 'a removed tool', path: 'schemas/pets/tools/pets_ping.json', change: remove },
    { title: 'an added tool', path: 'schemas/pets/tools/pets_new.json', change: add },
    { title: 'an edited generated file', path: 'packages/pets/src/index.ts', change: edit('//') },
    { title: 'a removed generated file', path: 'packages/pets/src/generated/shapes.ts', change: remove },
    { title: 'a stray file', path: 'packages/pets/src/generated/stray.ts', change: add },
    {
      title: 'an edited README of recipes',
      path: 'packages/pets/src/recipes/README.md',
      change: edit('!'),
    },
    { title: 'removed recipes', path: 'packages/pets/src/recipes', change: remove },
    { title: 'an edited manifest', path: 'packages/pets/package.json', change: edit('\n') },
    {
      title: 'a new workspace around the packages',
      path: 'packages/core/package.json',
      change: addWorkspace,
    },
  ])('detects $title like a first run', async ({ path, change }) => {
    const { run, file, deleteCache } = await generatedWithCache();
    change(file(path));
    const result = await run('--check');
    deleteCache();
    expect(result).toEqual(await run('--check'));
    expect(result.exitCode).toBe(1);
  });
});

const GUIDE = readFileSync(new URL('../../docs/contributing/add-a-connector.md', import.meta.url), 'utf8');

describe('svc-codegen new', () => {
  test('writes a folder from which a package can be generated', async () => {
    const schemas = temporaryFolder();
    expect(await runCommand(['new', 'notes', '--schemas', schemas])).toMatchObject({ exitCode: 0 });
    const out = temporaryFolder();
    const result = await runCommand(['--schemas', schemas, '--out', out]);
    expect([result.exitCode, result.lines.join('\n')]).toEqual([0, expect.stringContaining('items-list.ts')]);
  });

  test('the steps of docs/contributing/add-a-connector.md lead to a package with two tools', async () => {
    const [schemas, out] = [temporaryFolder(), temporaryFolder()];
    await runCommand(['--schemas', schemas, '--out', out, 'new', 'acme']);
    const blocks = [...GUIDE.matchAll(/^ *```json\n(.*?)^ *```/gms)].map(([, block = '']) =>
      JSON.parse(block),
    );
    expect(blocks).toHaveLength(2);
    const [connector, tool] = blocks;
    writeFiles(join(schemas, 'acme'), { 'connector.json': connector, [`tools/${tool.name}.json`]: tool });
    const listFile = join(schemas, 'acme/tools/acme_items_list.json');
    const list = JSON.parse(readFileSync(listFile, 'utf8'));
    writeFileSync(listFile, JSON.stringify({ ...list, scopes: ['items'] }));
    const { exitCode, lines } = await runCommand(['--schemas', schemas, '--out', out]);
    expect(exitCode, lines.join('\n')).toBe(0);
    const tools = readdirSync(join(out, 'acme/src/generated/tools'));
    expect(tools.sort()).toEqual(['items-create.ts', 'items-list.ts']);
  });

  test.each([
    { title: 'an existing folder', args: ['new', 'pets'], exitCode: 1 },
    { title: 'an invalid id', args: ['new', '../pets'], exitCode: 2 },
    { title: 'a reserved id', args: ['new', 'core'], exitCode: 2 },
    { title: 'the id of a built-in connector', args: ['new', 'calendar'], exitCode: 2 },
    { title: 'an id that the catalogue ignores', args: ['new', 'meta'], exitCode: 2 },
    { title: 'the id of the folder of event types', args: ['new', 'events'], exitCode: 2 },
    { title: 'a missing id', args: ['new'], exitCode: 2 },
    { title: 'an unknown subcommand', args: ['old', 'pets'], exitCode: 2 },
  ])('refuses $title', async ({ args, exitCode }) => {
    const schemas = writeFiles(temporaryFolder(), petsFiles);
    const before = textsBelow(schemas);
    expect((await runCommand([...args, '--schemas', schemas])).exitCode).toBe(exitCode);
    expect(textsBelow(schemas)).toEqual(before);
  });
});

const NEWCOMER = fileURLToPath(new URL('../../server/test/support/newcomer', import.meta.url));

test('a new connector becomes a package that compiles', async () => {
  const folder = temporaryFolder();
  const { exitCode, lines } = await runCommand(['--schemas', NEWCOMER, '--out', join(folder, 'packages')]);
  expect(exitCode, lines.join('\n')).toBe(0);
  const program = `import { createClient, issues } from '@svc/issues';
const tools = issues(createClient(), 'acct_1');
for await (const { number } of tools.list.each({ owner: 'ada', repo: 'engine', state: 'all' })) {
  await tools.comment({ owner: 'ada', repo: 'engine', number, body: 'Oil helps.' });
}
// @ts-expect-error there is no such state
await tools.list({ owner: 'ada', repo: 'engine', state: 'lost' });
// @ts-expect-error a title is needed
await tools.create({ owner: 'ada', repo: 'engine' });`;
  expect(compilePrograms(folder, { 'program.ts': program }, ['issues'])).toEqual([]);
});
