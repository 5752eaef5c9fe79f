import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type Files, loadPets, pets, thrownBy, toolFile, version, writeFolder } from '../../test/fixture.js';
import { CatalogError } from '../errors.js';
import { loadCatalog } from './load-catalog.js';

const list = (versions = [version({})], rest = {}) => ({
  'tools/pets_list.json': toolFile('pets_list', versions, rest),
});

const name = { properties: { name: { type: 'string' } } };

const pet = { type: 'object', properties: { id: { type: 'string' }, changed: { type: 'string' } } };
/** Returns the files of a connector whose tool lists pets and can be watched as `watch` describes. */
const watched = (watch: object, rest = {}, input = {}): Files =>
  list([
    version(input, {
      output: {
        type: 'object',
        properties: { pets: { type: 'array', items: pet }, token: { type: 'string' } },
      },
      watch: { id: 'id', items: 'pets', newestFirst: { overlap: 60 }, time: 'changed', ...watch },
      ...rest,
    }),
  ]);

const closed = (properties: object) => ({ type: 'object', additionalProperties: false, properties });

/**
 * Returns the files of a connector with a read-only tool, and a tool with this lookup of an object's title and date.
 */
const withObject = (object: object): Files => ({
  ...list([version(name, { output: closed({ pet: closed({ name: { type: 'string' } }) }) })]),
  'tools/pets_delete.json': toolFile('pets_delete', [version({ ...name, required: ['name'] })], {
    hints: { readOnly: false, destructive: true, idempotent: true },
    examples: [{ title: 'Rex', input: { name: 'Rex' } }],
    object,
  }),
});

test.each<{ title: string; files: Files; problem: string }>([
  {
    title: 'text that is not JSON',
    files: { 'tools/pets_list.json': '{' },
    problem: 'pets_list.json: whole file: the file is not valid JSON',
  },
  {
    title: 'a key that occurs twice',
    files: { 'types.json': '{ "$defs": { "Pet": { "type": "object" }, "Owner": {}, "Pet": {} } }' },
    problem: 'types.json: $defs.Pet: the object has the key "Pet" twice; remove one',
  },
  {
    title: 'a key that occurs twice, once with an escape, in an object of a list',
    files: { 'types.json': '{ "a": [{ "b": "}" }, { "k\\"ey": [1], "x": "k", "k\\u0022ey": 2 }] }' },
    problem: 'types.json: a[1].k"ey: the object has the key "k"ey" twice; remove one',
  },
  {
    title: 'a file in Latin-1',
    files: { 'types.json': Buffer.from('{ "$defs": { "Caf\u00e9": {} } }', 'latin1') },
    problem: 'types.json: whole file: the file is not UTF-8; save it in UTF-8',
  },
  {
    title: 'a file in UTF-16',
    files: { 'types.json': Buffer.from('\ufeff{ "$defs": {} }', 'utf16le') },
    problem: 'types.json: whole file: the file is not UTF-8; save it in UTF-8',
  },
  {
    title: 'JSON of 60,000 levels',
    files: { 'tools/pets_list.json': `${'['.repeat(60_000)}${']'.repeat(60_000)}` },
    problem: 'pets_list.json: whole file: the file is nested deeper than 100 levels',
  },
  {
    title: 'a file larger than 4 MiB',
    files: { 'types.json': `"${'x'.repeat(2 ** 22)}"` },
    problem: 'types.json: whole file: the file has more than 4194304 bytes',
  },
  {
    title: 'a pattern whose matching time is not linear',
    files: list([version({ properties: { name: { type: 'string', pattern: '^(\\w+)+$' } } })]),
    problem:
      'versions[0].input.properties.name.pattern: change the pattern: it must match in linear time, but it repeats a repetition',
  },
  {
    title: 'such a pattern in patternProperties inside a shared shape',
    files: {
      ...list(),
      'types.json': { $defs: { Pet: { not: { patternProperties: { '^(a|a)*$': {} } } } } },
    },
    problem:
      'types.json: $defs.Pet.not.patternProperties.^(a|a)*$: change the pattern: it must match in linear time',
  },
  {
    title: 'a watch with two ways to find changes',
    files: watched({ since: { input: 'name', format: 'date-time', overlap: 1, reach: 1 } }, {}, name),
    problem: 'versions[0].watch: exactly one of',
  },
  {
    title: 'a watch by time without the path of the time',
    files: watched({ time: undefined }),
    problem:
      'versions[0].watch.time: "versions[0].watch.time" is required when "versions[0].watch.newestFirst" is given',
  },
  {
    title: 'a watch of an unknown field',
    files: watched({ version: 'etag' }),
    problem: 'versions[0].watch.version: "etag" is not a field of the items in "pets"',
  },
  {
    title: 'a watch of a list without paging and items',
    files: watched({ items: undefined }),
    problem:
      'versions[0].watch.items: the tool has no "paging"; give the path of the items in the data of the tool',
  },
  {
    title: 'a watch that sets an unknown input',
    files: watched({ input: { order: 'descending' } }),
    problem: 'versions[0].watch: "order" is not an input of this tool',
  },
  {
    title: 'a watch with an unknown sync token',
    files: watched({
      newestFirst: undefined,
      syncToken: { query: 'since', output: 'cursor', expired: { status: 410 } },
    }),
    problem: 'versions[0].watch.syncToken.output: "cursor" is not a field of the output',
  },
  {
    title: 'a watch of a tool that changes data',
    files: {
      'tools/pets_list.json': toolFile(
        'pets_list',
        [version({}, { watch: { id: 'id', items: 'pets', newestFirst: { overlap: 60 }, time: 'changed' } })],
        { hints: { readOnly: false, destructive: false, idempotent: true } },
      ),
    },
    problem:
      'versions[0].watch: the tool changes data, but only a read-only tool can be watched; delete "watch"',
  },
  {
    title: 'a watch that adds fields to a request without a body',
    files: watched({ body: { sort: 'changed' } }, { request: { method: 'GET', path: '/pets' } }),
    problem: 'versions[0].watch.body: the upstream request has no JSON body',
  },
  {
    title: 'a missing property of connector.json',
    files: { 'connector.json': { ...pets, baseUrl: undefined } },
    problem:
      'connector.json: baseUrl: "baseUrl" is required: give a full URL such as https://example.com/page',
  },
  {
    title: 'an unknown auth type',
    files: { 'connector.json': { ...pets, auth: { ...pets.auth, type: 'magic' } } },
    problem: 'auth.type: "auth.type" must be one of oauth2, api_key, bearer_token and mcp_oauth',
  },
  {
    title: 'an id that differs from the folder name',
    files: { 'connector.json': { ...pets, id: 'cats' } },
    problem: 'connector.json: id: the id is "cats", but the folder is named "pets"',
  },
  {
    title: 'a file name that differs from the tool name',
    files: { 'tools/list.json': toolFile('pets_list', [version({})]) },
    problem: 'list.json: name: the tool is named "pets_list"; rename the file to pets_list.json',
  },
  {
    title: 'a tool name without the prefix of its connector',
    files: { 'tools/cats_list.json': toolFile('cats_list', [version({})]) },
    problem: 'name: the name does not start with the connector\'s id; begin it with "pets_"',
  },
  {
    title: 'a tool without a current version',
    files: list([version({}, { status: 'supported' })]),
    problem: 'versions: 0 versions have the status "current"; give it to exactly one version',
  },
  {
    title: 'the same version twice',
    files: list([version({}), version({}, { status: 'supported' })]),
    problem: 'versions[1]: version 1.0.0 with 1.0.0 exists already',
  },
  {
    title: 'a read-only tool that sends DELETE',
    files: list([version({}, { request: { method: 'DELETE', path: '/pets' } })]),
    problem: 'hints.readOnly: the tool sends DELETE, which changes data upstream',
  },
  {
    title: 'a read-only tool that is destructive',
    files: list([version({})], { hints: { readOnly: true, destructive: true, idempotent: true } }),
    problem: 'hints: a destructive tool is not read-only',
  },
  {
    title: 'two implementations in one version',
    files: list([version({}, { handler: true })]),
    problem: 'versions[0]: "versions[0]" matches several of the alternatives in "oneOf" of its schema',
  },
  {
    title: 'an input that allows additional properties',
    files: list([version({ additionalProperties: true })]),
    problem: 'versions[0].input: the input must be a closed object',
  },
  {
    title: 'an object without additionalProperties',
    files: list([version({ properties: { pet: { type: 'object', properties: {} } } })]),
    problem: 'versions[0].input.properties.pet: "additionalProperties" is missing',
  },
  {
    title: 'a rule about an unknown property',
    files: list([version({ ...name, exactlyOneOf: ['name', 'id'] })]),
    problem: 'versions[0].input.exactlyOneOf: "id" is not declared in "properties"',
  },
  {
    title: 'a required property that does not exist',
    files: list([version({ ...name, required: ['nmae'] })]),
    problem: 'versions[0].input.required: "nmae" is not declared in "properties"',
  },
  {
    title: 'a default of a field in an exactly-one group',
    files: list([version({ properties: { a: { default: 1 }, b: {} }, exactlyOneOf: ['a', 'b'] })]),
    problem:
      'versions[0].input.properties.a: a field in a rule such as "exactlyOneOf" must not have a default',
  },
  {
    title: 'a default of a field under a rule inside an input',
    files: list([
      version({
        properties: {
          filter: {
            type: 'object',
            additionalProperties: false,
            properties: { a: { default: 1 }, b: {} },
            atMostOneOf: ['a', 'b'],
          },
        },
      }),
    ]),
    problem:
      'versions[0].input.properties.filter.properties.a: a field in a rule such as "exactlyOneOf" must not have a default',
  },
  {
    title: 'a reference to a missing shape',
    files: list([version({ properties: { pet: { $ref: 'types.json#/$defs/Pet' } } })]),
    problem: 'versions[0].input.properties.pet.$ref: "types.json#/$defs/Pet" points to no schema',
  },
  {
    title: 'a reference in types.json to a missing shape',
    files: { ...list(), 'types.json': { $defs: { Pet: { $ref: '#/$defs/Animal' } } } },
    problem: 'types.json: $defs.Pet.$ref: "#/$defs/Animal" points to no schema',
  },
  {
    title: 'a schema that contains itself within the tool file',
    files: list([version({ properties: { pet: { $ref: '#/versions/0/input/properties/pet' } } })]),
    problem: 'versions[0].input: "#/versions/0/input/properties/pet" refers to itself',
  },
  {
    title: 'a binding of an unknown input',
    files: list([version(name, { request: { method: 'GET', path: '/', query: { q: ['{nam}'] } } })]),
    problem: 'versions[0].request.query.q[0]: {nam} is not an input',
  },
  {
    title: 'a binding outside path that mixes text and a placeholder',
    files: list([version(name, { request: { method: 'GET', path: '/', query: { q: 'is {name}' } } })]),
    problem: 'versions[0].request.query.q: {name} must be the whole string',
  },
  {
    title: 'a path with an optional input',
    files: list([version(name, { request: { method: 'GET', path: '/pets/{name}' } })]),
    problem: 'versions[0].request.path: {name} may be absent; make the input required',
  },
  {
    title: 'paging by unknown output fields',
    files: list([version(name, { paging: { input: 'token', output: 'next', items: 'pets' } })]),
    problem: 'versions[0].paging.items: "pets" is not a field of the output',
  },
  {
    title: 'an example of an unknown version',
    files: list(undefined, { examples: [{ title: 'Old', version: '0.1.0', input: {} }] }),
    problem: 'examples[0].version: the tool has no "schema_version" 0.1.0',
  },
  {
    title: 'an example whose input is not valid',
    files: list([version(name)], { examples: [{ title: 'Wrong', input: { nam: 'Rex' } }] }),
    problem: 'examples[0].input.nam: "nam" is not a known field; did you mean "name"?',
  },
  {
    title: 'an example whose data does not match the output schema',
    files: list([version(name, { output: { type: 'array' } })], {
      examples: [{ title: 'Wrong', input: {}, reply: {} }],
    }),
    problem: 'examples[0].reply: the data must be an array',
  },
  {
    title: 'an input that the request does not use',
    files: list([version(name, { request: { method: 'GET', path: '/' } })]),
    problem: 'versions[0].input.properties.name: no request uses this input',
  },
  {
    title: 'a path into a response before the first response',
    files: list([version(name, { request: { method: 'GET', path: '/{/id}', query: { a: '{/b}' } } })]),
    problem: 'versions[0].request.query.a: {/b} refers to a previous response, but there is none',
  },
  {
    title: 'an operator that lacks its second key',
    files: list([
      version(name, { request: { method: 'POST', path: '/', body: { a: { $table: '{name}' } } } }),
    ]),
    problem: 'versions[0].request.body.a: "$table" needs "values" next to it',
  },
  {
    title: 'an unknown key next to an operator',
    files: list([
      version(name, { request: { method: 'POST', path: '/', body: { $first: ['{name}'], els: 1 } } }),
    ]),
    problem: 'versions[0].request.body.els: "els" is not allowed next to "$first"',
  },
  {
    title: 'an object in a form',
    files: list([
      version(name, {
        request: { method: 'POST', path: '/', encoding: 'form', body: { a: { b: '{name}' } } },
      }),
    ]),
    problem: 'versions[0].request.body.a: a field of a body with the encoding "form" must not be an object',
  },
  {
    title: 'two paging methods at once',
    files: list([version(name, { paging: { output: 'a', items: 'b', link: 'page', page: { next: 'a' } } })]),
    problem: 'leave out all but one of "versions[0].paging.page" and "versions[0].paging.link"',
  },
  {
    title: 'an input without a description',
    files: list([
      version({}, { input: { type: 'object', additionalProperties: false, properties: { a: {} } } }),
    ]),
    problem: 'versions[0].input.properties.a: the description is missing',
  },
  {
    title: 'an unknown scope',
    files: list(undefined, { scopes: ['read'] }),
    problem: `scopes[0]: "read" is not a scope of the connector`,
  },
  {
    title: 'a shape with a reserved type name',
    files: { ...list(), 'types.json': { $defs: { Promise: { type: 'string' } } } },
    problem: 'types.json: $defs.Promise: "Promise" is a reserved type name',
  },
  {
    title: 'a tool that would make its connector a thenable',
    files: { 'tools/pets_then.json': toolFile('pets_then', [version({})]) },
    problem: 'name: a method of this name would break the generated client',
  },
  {
    title: 'a shape whose name collides with a generated type',
    files: { ...list(), 'types.json': { $defs: { ListInput: { type: 'string' } } } },
    problem: 'types.json: $defs.ListInput: the tool "pets_list" generates a type of this name',
  },
  {
    title: 'an example whose request differs from the bound input',
    files: list([version(name)], {
      examples: [
        { title: 'Rex', input: { name: 'Rex' }, request: { method: 'POST', path: '/pets', body: {} } },
      ],
    }),
    problem:
      'examples[0].request: the request differs from what the tool sends; correct one. Sent: {"method":"POST","path":"/pets","body":{"name":"Rex"}}',
  },
  {
    title: 'an example whose data differs from the bound reply',
    files: list([version({}, { response: { data: { id: '{/key}' } } })], {
      examples: [{ title: 'Rex', input: {}, reply: { key: 1 }, data: { id: 2 } }],
    }),
    problem:
      'examples[0].data: "data" differs from what the replies produce; correct one. Produced: {"id":1}',
  },
  {
    title: 'an object whose id is not an input',
    files: withObject({ id: 'nmae', tool: 'pets_list', input: {}, title: ['name'] }),
    problem: 'pets_delete.json: object.id: "nmae" is not an input of the current version',
  },
  {
    title: 'an object whose lookup refers to no input',
    files: withObject({ id: 'name', tool: 'pets_list', input: { name: '{nmae}' }, title: ['name'] }),
    problem: 'pets_delete.json: object: {nmae} is not an input of the current version',
  },
  {
    title: 'an object whose lookup uses a tool that changes data',
    files: withObject({ id: 'name', tool: 'pets_delete', input: {}, title: ['name'] }),
    problem: 'pets_delete.json: object.tool: "pets_delete" is not a read-only tool of this connector',
  },
  {
    title: 'an object whose lookup gives an unknown input',
    files: withObject({ id: 'name', tool: 'pets_list', input: { nmae: '{name}' }, title: ['name'] }),
    problem: 'pets_delete.json: object.input.nmae: "nmae" is not an input of pets_list',
  },
  {
    title: 'an object whose title is not in the output of the tool',
    files: withObject({ id: 'name', tool: 'pets_list', input: {}, title: ['pet/nmae'] }),
    problem: 'pets_delete.json: object.title[0]: "pet/nmae" is not in the output of the tool',
  },
  {
    title: 'an object whose lookup does not only read',
    files: withObject({ id: 'name', request: { method: 'POST', path: '/pets/{name}' }, title: ['name'] }),
    problem: 'pets_delete.json: object.request.method: the lookup sends POST, but it must only read',
  },
  {
    title: 'an object whose lookup has an unknown operator in its path',
    files: withObject({ id: 'name', request: { method: 'GET', path: '/pets/{$name}' }, title: ['name'] }),
    problem: 'pets_delete.json: object.request.path: {$name} is not a reference',
  },
  {
    title: 'an object whose lookup has an unknown operator in its query',
    files: withObject({
      id: 'name',
      request: { method: 'GET', path: '/pets', query: { name: { $frist: ['{name}'] } } },
      title: ['name'],
    }),
    problem: 'pets_delete.json: object.request.query.name.$frist: "$frist" is not an operator',
  },
  {
    title: 'an object whose lookup has an unknown operator in its input',
    files: withObject({ id: 'name', tool: 'pets_list', input: { name: '{$name}' }, title: ['name'] }),
    problem: 'pets_delete.json: object.input.name: "{$name}" is neither a reference nor an operator',
  },
  {
    title: 'an object with two lookups',
    files: withObject({
      id: 'name',
      tool: 'pets_list',
      input: {},
      request: { method: 'GET', path: '/' },
      title: ['name'],
    }),
    problem: 'pets_delete.json: object: exactly one of "object.tool" and "object.request" is needed',
  },
  {
    title: 'an unknown schema keyword',
    files: list([version({ properties: { name: { type: 'string', maxLenght: 3 } } })]),
    problem:
      'versions[0].input: the schema is not valid; correct it: strict mode: unknown keyword: "maxLenght"',
  },
])('refuses $title', ({ files, problem }) => {
  expect(thrownBy(() => loadPets(files))).toBeInstanceOf(CatalogError);
  expect(() => loadPets(files)).toThrow(problem);
});

test.each(['delete', 'core', 'promise', 'default'])('refuses the reserved connector id %s', (id) => {
  const folder = writeFolder({ [id]: { 'connector.json': { ...pets, id } } });
  expect(() => loadCatalog({ builtIn: false, folders: [folder] })).toThrow(`id: "${id}"`);
});

test('reports every problem of every file at once', () => {
  const folder = writeFolder({
    pets: {
      'connector.json': pets,
      'tools/pets_list.json': '{',
      'tools/pets_get.json': toolFile('pets_get', []),
    },
    cats: { 'connector.json': pets },
  });
  const error = thrownBy(() => loadCatalog({ builtIn: false, folders: [folder, `${folder}/nowhere`] }));
  const paths =
    error instanceof CatalogError
      ? error.problems.map(({ path, where }) => [path.replace(`${folder}/`, ''), where])
      : [];
  expect(paths).toEqual([
    ['cats/connector.json', 'id'],
    ['pets/tools/pets_get.json', 'versions'],
    ['pets/tools/pets_list.json', ''],
    ['nowhere', ''],
    ['pets/connector.json', 'id'],
  ]);
});

test('refuses a second connector with the same id in another folder', () => {
  const folders = [
    writeFolder({ pets: { 'connector.json': pets } }),
    writeFolder({ pets: { 'connector.json': pets } }),
  ];
  expect(() => loadCatalog({ builtIn: false, folders })).toThrow('two folders have a connector "pets"');
});

test('refuses a connector with the id of a built-in connector', () => {
  const folder = writeFolder({ calendar: { 'connector.json': { ...pets, id: 'calendar' } } });
  for (const fromFiles of [false, true])
    expect(() => loadCatalog({ fromFiles, folders: [folder] })).toThrow(
      '"calendar" is the id of a built-in connector',
    );
});

test.each(['connector.json', 'types.json', 'tools/pets_list.json'])(
  'refuses a pipe, a device and a folder as %s',
  (name) => {
    const { [name]: _, ...files }: Files = { 'connector.json': pets, 'types.json': { $defs: {} }, ...list() };
    const make = (create: (path: string) => void) => {
      const folder = writeFolder({ pets: files });
      const path = join(folder, 'pets', name);
      mkdirSync(dirname(path), { recursive: true });
      create(path);
      return String(thrownBy(() => loadCatalog({ builtIn: false, folders: [folder] })));
    };
    const problem = `pets/${name}: whole file: the path is not a regular file`;
    expect(make((path) => execFileSync('mkfifo', [path]))).toContain(problem);
    expect(make((path) => symlinkSync('/dev/zero', path))).toContain(problem);
    if (name !== 'tools/pets_list.json') expect(make((path) => symlinkSync('/tmp', path))).toContain(problem);
  },
);

test.each([
  { title: 'a file', create: (path: string) => writeFileSync(path, '') },
  { title: 'a pipe', create: (path: string) => execFileSync('mkfifo', [path]) },
])('$title in the place of a folder is reported with its path', ({ create }) => {
  const folder = writeFolder({ pets: { 'connector.json': pets } });
  const report = (path: string) => String(thrownBy(() => loadCatalog({ builtIn: false, folders: [path] })));
  create(join(folder, 'pets/tools'));
  expect(report(folder)).toContain('pets/tools: whole file: the path is not a folder');
  create(join(folder, 'catalogue'));
  expect(report(join(folder, 'catalogue'))).toContain('catalogue: whole file: the path is not a folder');
});

test('a symbolic link to the folder of a connector is followed', () => {
  const folder = writeFolder({ 'elsewhere/pets': { 'connector.json': pets, ...list() } });
  mkdirSync(join(folder, 'catalogue'));
  symlinkSync(join(folder, 'elsewhere/pets'), join(folder, 'catalogue/pets'));
  symlinkSync('loop', join(folder, 'catalogue/loop'));
  const { connectors } = loadCatalog({ builtIn: false, folders: [join(folder, 'catalogue')] });
  expect([...connectors.keys()]).toEqual(['pets']);
});
