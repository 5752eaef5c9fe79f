import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { compileProgram, petsFiles, searchFiles, temporaryFolder, writeFiles } from '../test/fixture.js';
import { runCommand } from './run-command.js';

const START = `import { createClient } from '@svc/core';
import { pets, type FindInput, type Pet } from '@svc/pets';
const client = createClient();
const tools = pets(client, 'acct_1');
interface MutationContext { client: object; meta: Record<string, unknown> | undefined; mutationKey?: readonly unknown[] }
declare function useMutation<Data, Variables>(options: {
  mutationFn: (variables: Variables, context: MutationContext) => Promise<Data>;
}): { mutate: (variables: Variables) => void; data: Data | undefined };
declare function retried<Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>): (...args: Args) => Promise<Result>;
declare const unset: undefined;
`;
const byName = (toolName: string, toolInput: string) =>
  `(await client.executeTool({ toolName: '${toolName}', connectedAccountId: 'acct_1', toolInput: ${toolInput} })).data`;

const right = [
  "await tools.find({ kind: 'cat', id: '1' });",
  "await tools.find({ kind: 'dog', mine: true, size: 3, filter: { anything: [1] }, owner: { name: 'Ada', age: 36 } });",
  "await tools.find({ kind: 'cat', id: '1', mine: false });",
  "await tools.find({ kind: 'cat', name: 'Rex', schema_version: '1.0.0', tool_version: '1.0.0' });",
  "await tools.find({ kind: 'cat', id: '1' }, { schemaVersion: '1.0.0', timeout: 1000 });",
  'await tools.list();',
  "for await (const pet of tools.list.each({ token: 'a' })) { const id: string = pet.id; }",
  'for await (const pet of tools.list.each()) { const born: string | null | undefined = pet.born; }',
  'await tools.ping();',
  "const kind: string = (await tools.find({ kind: 'cat', id: '1' })).data.kind;",
  "if ((await tools.find({ kind: 'cat', id: '1' })).data.kind === 'parrot') { /* a kind that is new */ }",
  "const scores: Record<string, number> | undefined = (await tools.find({ kind: 'cat', id: '1' })).data.scores;",
  "const second: Pet = (await tools.rename({ id: '1', title: 'Rex' })).data;",
  "const renamed: Pet = (await tools.rename({ id: '1', title: 'Rex', schema_version: '2.0.0' })).data;",
  "const first: string = (await tools.rename({ id: '1', schema_version: '1.0.0' })).data;",
  "const option: string = (await tools.rename({ id: '1' }, { schemaVersion: '1.0.0' })).data;",
  `const pet: Pet = ${byName('pets_find', "{ kind: 'cat', id: '1' }")};`,
  "const input: FindInput = { kind: 'cat', mine: true };",
  "const isPlanned: boolean = (await tools.find({ kind: 'cat', id: '1' }, { dryRun: true })).dryRun.isComplete;",
  'const isListPlanned: boolean = (await tools.list(undefined, { dryRun: true })).dryRun.isComplete;',
  "const isRenamePlanned: boolean = (await tools.rename({ id: '1', title: 'Rex' }, { dryRun: true })).dryRun.isComplete;",
  "const mutation = useMutation({ mutationFn: tools.find }); mutation.mutate({ kind: 'cat', id: '1' }); const pet: Pet | undefined = mutation.data?.data;",
  "const renaming = useMutation({ mutationFn: tools.rename }); renaming.mutate({ id: '1', title: 'Rex' }); const renamed: Pet | undefined = renaming.data?.data;",
  'const listing = useMutation({ mutationFn: tools.list }); const total: number | undefined = listing.data?.data.pets?.length;',
  "const retriedPet: Pet = (await retried(tools.find)({ kind: 'cat', id: '1' }, { timeout: 1000 })).data;",
  'const resolved = async (result: Awaited<ReturnType<typeof tools.find>>): Promise<Pet> => result.data;',
  'const resolvedList = async (result: Awaited<ReturnType<typeof tools.list>>) => result.data.pets?.length;',
  "const [first, second]: Parameters<typeof tools.find> = [{ kind: 'cat', id: '1' }, { maxRetries: 0 }];",
  "await tools.find({ kind: 'cat', id: '1', mine: unset, name: unset, size: unset, schema_version: unset });",
  'await tools.list({ token: unset });',
  'const kind: string | undefined = (await tools.search()).data.pets?.[0]?.kind;',
  'for await (const pet of tools.search.each()) { const kind: string = pet.kind; }',
  "for await (const pet of tools.search.each({ query: 'a' }, { limit: 3 })) { const kind: string = pet.kind; }",
  "for await (const id of tools.search.each({ schema_version: '2.0.0' })) { const text: string = id; }",
  "for await (const id of tools.search.each({}, { schemaVersion: '2.0.0' })) { const text: string = id; }",
  "for await (const { data } of tools.search.pages({ schema_version: '2.0.0' })) { const id: string | undefined = data.pets?.[0]; }",
  'for await (const { data, requestId } of tools.search.pages()) { const kind: string = requestId + data.pets?.[0]?.kind; }',
];

const wrong = [
  { title: 'a missing required field', line: "await tools.find({ id: '1' });" },
  { title: 'an unknown field', line: "await tools.find({ kind: 'cat', id: '1', colour: 'red' });" },
  { title: 'a wrong type', line: "await tools.find({ kind: 'cat', id: 1 });" },
  { title: 'a value outside the enum', line: "await tools.find({ kind: 'parrot', id: '1' });" },
  { title: 'an exactly-one group without a field', line: "await tools.find({ kind: 'cat' });" },
  {
    title: 'a false flag as the only field of an exactly-one group',
    line: "await tools.find({ kind: 'cat', mine: false });",
  },
  {
    title: 'two fields of an exactly-one group',
    line: "await tools.find({ kind: 'cat', id: '1', mine: true });",
  },
  { title: 'an unknown field of a tool without fields', line: 'await tools.ping({ loud: true });' },
  {
    title: 'an unknown schema_version',
    line: "await tools.find({ kind: 'cat', id: '1', schema_version: '9.0.0' });",
  },
  {
    title: 'an unknown tool_version',
    line: "await tools.find({ kind: 'cat', id: '1', tool_version: '9.0.0' });",
  },
  {
    title: 'an unknown version in the options',
    line: "await tools.find({ kind: 'cat', id: '1' }, { schemaVersion: '9.0.0' });",
  },
  {
    title: 'an unknown version of a tool with several versions',
    line: "await tools.rename({ id: '1', schema_version: '9.0.0' });",
  },
  {
    title: 'the input of another version',
    line: "await tools.rename({ id: '1', name: 'Rex', schema_version: '2.0.0' });",
  },
  {
    title: 'the result of another version',
    line: "(await tools.rename({ id: '1', schema_version: '1.0.0' })).data.kind;",
  },
  {
    title: 'the result of a dry run as data',
    line: "(await tools.find({ kind: 'cat', id: '1' }, { dryRun: true })).data;",
  },
  {
    title: 'undefined in a required field',
    line: "await tools.find({ kind: unset, id: '1' });",
  },
  {
    title: 'a mutation with invalid variables',
    line: "useMutation({ mutationFn: tools.find }).mutate({ kind: 'parrot', id: '1' });",
  },
  {
    title: 'an invalid input of a wrapped method',
    line: "await retried(tools.find)({ kind: 'cat' });",
  },
  { title: 'an unknown method', line: 'await tools.serach({});' },
  { title: 'an unknown result field', line: "(await tools.find({ kind: 'cat', id: '1' })).data.knid;" },
  { title: 'an unknown field of an item', line: 'for await (const pet of tools.list.each()) pet.knid;' },
  {
    title: 'an item of another version',
    line: "for await (const id of tools.search.each({ schema_version: '2.0.0' })) id.kind;",
  },
  {
    title: 'a page of another version',
    line: "for await (const { data } of tools.search.pages({ schema_version: '2.0.0' })) data.pets?.[0]?.kind;",
  },
  {
    title: 'an iteration over a version whose items have another path',
    line: "tools.search.each({ schema_version: '1.0.0' });",
  },
  { title: 'a limit of a single page', line: 'await tools.search({}, { limit: 3 });' },
  { title: 'an unknown tool name', line: `${byName('pets_fnid', '{}')};` },
  { title: 'an invalid input of executeTool', line: `${byName('pets_find', "{ kind: 'cat' }")};` },
  {
    title: 'an unknown result field of executeTool',
    line: `${byName('pets_find', "{ kind: 'cat', id: '1' }")}.knid;`,
  },
];

describe('a generated package', () => {
  const folder = writeFiles(
    join(temporaryFolder()),
    Object.fromEntries(
      Object.entries({ ...petsFiles, ...searchFiles }).map(([path, file]) => [`schemas/${path}`, file]),
    ),
  );
  const out = join(folder, 'packages');
  const read = (path: string) => readFileSync(join(out, 'pets', path), 'utf8');
  let errors: readonly string[] = [];

  beforeAll(async () => {
    const { exitCode } = await runCommand([
      '--schemas',
      join(folder, 'schemas'),
      '--out',
      out,
      '--handlers',
      join(folder, 'handlers.ts'),
    ]);
    expect(exitCode).toBe(0);
    errors = compileProgram(folder, START + wrong.map(({ line }) => `{ ${line} }\n`).join(''));
  });

  test('compiles with every valid call', () => {
    const models =
      "import { schemas } from '@svc/pets/schemas';\nconst title: string = schemas.pets_find.title;\n";
    expect(compileProgram(folder, models + START + right.map((line) => `{ ${line} }\n`).join(''))).toEqual(
      [],
    );
  });

  test.each(
    wrong.map((each, index) => ({ ...each, position: `program.ts(${index + START.split('\n').length})` })),
  )('does not compile with $title', ({ position }) => {
    expect(errors.filter((error) => error.startsWith(`${position}:`))).toHaveLength(1);
  });

  test('has exactly one compile error per invalid line', () => {
    expect(errors).toHaveLength(wrong.length);
  });

  test('explains fields with defaults and limits in doc comments', () => {
    expect(read('src/generated/tools/find.ts')).toContain(
      '/** The size. Range: 1 to 9. Default: 5. */\n  size?: number | undefined;',
    );
  });

  test('has a doc comment at each signature of a paged tool, which editors show for a call', () => {
    const [, list = ''] = read('src/generated/connector.ts').split('\n  list: {\n');
    const [signatures = ''] = list.split('\n  } & PagedTool<');
    expect(signatures).toMatch(/ changes nothing\. \*\/\n {4}\(input: .*, options: DryRunOptions</);
    expect(signatures).toMatch(/ \* List pets\.\n.*\n {5}\*\/\n {4}\(input: .*, options\?: ToolOptions</s);
  });

  test('contains one table of methods at run time', () => {
    expect(read('src/generated/connector.ts')).toContain(
      "  list: { reads: true, page: 'pets' },\n" +
        '  ping: { reads: true },\n' +
        "  rename: { version: ['2.0.0', '2.0.0'] },\n",
    );
  });

  test('has two types for a shape that inputs and outputs use', () => {
    const shapes = read('src/generated/shapes.ts');
    expect(shapes).toContain('export interface Owner {\n  name: string;\n}');
    expect(shapes).toContain('export interface OwnerInput {\n  name: string;\n  [key: string]: unknown;\n}');
  });

  test('has one example of every tool in its README', () => {
    const readme = read('README.md');
    for (const call of [
      "find({ kind: 'cat', id: '1' })",
      'list({})',
      'ping({})',
      "rename({ id: '1', title: 'Rex' })",
    ]) {
      expect(readme).toContain(`const { data } = await tools.${call};`);
    }
  });

  test('names the handlers and types their inputs with defaults filled in', () => {
    const handlers = readFileSync(join(folder, 'handlers.ts'), 'utf8');
    expect(handlers).toContain('pets_rename: Handler<PetsRenameInputV2_0_0 | PetsRenameInputV1_0_0>;');
    expect(handlers).toContain(
      'export interface PetsRenameInputV1_0_0 {\n  /** The id. */\n  id: string;\n  /** The name. Default: "Rex". */\n  name: string;\n}',
    );
    expect(handlers).not.toContain('schema_version');
  });
});
