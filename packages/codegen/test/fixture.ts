import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Json = Readonly<Record<string, unknown>>;

const object = (properties: Json, rest: Json = {}) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...rest,
});
const open = (properties: Json, rest: Json = {}) =>
  object(properties, { additionalProperties: true, ...rest });
const text = { type: 'string' };

const connector = {
  id: 'pets',
  title: 'Pets',
  description: 'Pets and the people who keep them.',
  api: 'Pet API',
  baseUrl: 'https://pets.example.com',
  auth: { type: 'api_key', inject: { header: 'x-api-key', value: '{credential}' } },
};

const types = {
  $defs: {
    Pet: open(
      {
        id: text,
        kind: { type: 'string', enum: ['cat', 'dog'], description: 'What it is.' },
        owner: { $ref: '#/$defs/Owner' },
        born: { type: ['string', 'null'] },
        scores: { type: 'object', additionalProperties: { type: 'number' } },
      },
      { required: ['id', 'kind'] },
    ),
    Owner: open({ name: text }, { required: ['name'] }),
  },
};

/** Adds a description to each input property, because the catalogue requires one. */
function described(properties: object): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, { description: `The ${name}.`, ...schema }]),
  );
}

function version(shape: Json, rest: Json = {}): Json {
  const properties = described(shape['properties'] ?? {});
  const input = { ...shape, properties };
  const body = Object.fromEntries(Object.keys(properties).map((name) => [name, `{${name}}`]));
  const common = {
    schema_version: '1.0.0',
    tool_version: '1.0.0',
    status: 'current',
    output: { $ref: 'types.json#/$defs/Pet' },
  };
  return { ...common, input, request: { method: 'POST', path: '/pets', body }, ...rest };
}

function tool(name: string, title: string, versions: readonly Json[], example: Json, rest: Json = {}): Json {
  return {
    name,
    title,
    description: `${title}, so that a test has something to call. */ ends no comment.`,
    hints: { readOnly: true, destructive: false, idempotent: true },
    versions,
    examples: [{ title: 'One', input: example }],
    ...rest,
  };
}

const page = {
  type: 'object',
  additionalProperties: true,
  properties: { pets: { type: 'array', items: { $ref: 'types.json#/$defs/Pet' } }, next: text },
};

const tools = [
  tool(
    'pets_find',
    'Find a pet',
    [
      version(
        object(
          {
            id: text,
            mine: { type: 'boolean' },
            name: text,
            size: { type: 'integer', minimum: 1, maximum: 9, default: 5 },
            kind: { enum: ['cat', 'dog'] },
            filter: open({}),
            owner: { $ref: 'types.json#/$defs/Owner' },
          },
          { required: ['kind'], exactlyOneOf: ['id', 'mine', 'name'] },
        ),
      ),
    ],
    { kind: 'cat', id: '1' },
    { versionInputs: true, bodyBytes: 2_500_000 },
  ),
  tool(
    'pets_list',
    'List pets',
    [
      version(object({ token: text }), {
        output: page,
        paging: { input: 'token', output: 'next', items: 'pets' },
      }),
    ],
    {},
  ),
  tool('pets_ping', 'Ping', [version(object({}), { output: { type: 'null' } })], {}),
  tool(
    'pets_rename',
    'Rename a pet',
    [
      version(object({ id: text, title: text }, { required: ['id', 'title'] }), {
        schema_version: '2.0.0',
        tool_version: '2.0.0',
        request: undefined,
        handler: true,
      }),
      version(object({ id: text, name: { ...text, default: 'Rex' } }, { required: ['id'] }), {
        status: 'supported',
        output: { type: 'string' },
        request: undefined,
        handler: true,
      }),
    ],
    { id: '1', title: 'Rex' },
    { versionInputs: true, hints: { readOnly: false, destructive: false, idempotent: true } },
  ),
];

/** Files of the sample connector `pets`, by path in a folder of schemas. */
export const petsFiles: Readonly<Record<string, unknown>> = {
  'pets/connector.json': connector,
  'pets/types.json': types,
  ...Object.fromEntries(tools.map((each) => [`pets/tools/${each['name']}.json`, each])),
};

const pageOf = (name: string, items: Json) => ({
  ...page,
  properties: { [name]: { type: 'array', items }, next: text },
});

function searchVersion(schemaVersion: string, name: string, items: Json): Json {
  return version(object({ query: text, token: text }), {
    schema_version: schemaVersion,
    tool_version: schemaVersion,
    status: schemaVersion === '3.0.0' ? 'current' : 'supported',
    output: pageOf(name, items),
    paging: { input: 'token', output: 'next', items: name },
  });
}

/** Files of a paged tool of `pets` whose three versions have different items. The first version has another path. */
export const searchFiles: Readonly<Record<string, unknown>> = {
  'pets/tools/pets_search.json': tool(
    'pets_search',
    'Search pets',
    [
      searchVersion('3.0.0', 'pets', { $ref: 'types.json#/$defs/Pet' }),
      searchVersion('2.0.0', 'pets', text),
      searchVersion('1.0.0', 'found', text),
    ],
    {},
    { versionInputs: true },
  ),
};

/** Files that make a folder the workspace of `@svc/core`. */
export const workspaceFiles = {
  'pnpm-workspace.yaml': '',
  'tsconfig.base.json': {},
  'packages/core/package.json': { name: '@svc/core' },
};

/** Creates an empty temporary folder. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'codegen-'));
}

/** Writes files below a folder. Strings are written unchanged, other content as JSON. */
export function writeFiles(folder: string, files: Readonly<Record<string, unknown>>): string {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

const CORE = fileURLToPath(new URL('../../core/src/index.ts', import.meta.url));
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

/**
 * Compiles programs in a folder with `packages/<id>` for these connectors. Returns the errors as `<file>(<line>):
 * <code>`.
 */
export function compilePrograms(
  folder: string,
  programs: Readonly<Record<string, string>>,
  ids = ['pets'],
): readonly string[] {
  const packagePaths = ids.flatMap((id) => [
    [`@svc/${id}`, [`./packages/${id}/src/index.ts`]],
    [`@svc/${id}/schemas`, [`./packages/${id}/src/schemas.ts`]],
  ]);
  const paths = { '@svc/core': [CORE], ...Object.fromEntries(packagePaths) };
  const compilerOptions = {
    target: 'ES2023',
    lib: ['ES2024', 'DOM'],
    module: 'NodeNext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    paths,
  };
  writeFiles(folder, {
    ...programs,
    'package.json': { type: 'module' },
    'tsconfig.json': { compilerOptions, include: Object.keys(programs) },
  });
  const { stdout, stderr } = spawnSync(process.execPath, [TSC, '-p', folder], {
    cwd: folder,
    encoding: 'utf8',
  });
  // Counts only errors in generated code and in the programs, because the client has its own type check.
  const errors = [...stdout.matchAll(/^(\w\S+)\((\d+),\d+\): error (TS\d+)/gm)];
  if (stdout + stderr !== '' && !/error TS/.test(stdout)) return [stdout + stderr];
  return errors.map(([, file, line, code]) => `${file}(${line}): ${code}`);
}

/** Compiles one program, `program.ts`, and returns its errors. */
export const compileProgram = (folder: string, program: string): readonly string[] =>
  compilePrograms(folder, { 'program.ts': program });
