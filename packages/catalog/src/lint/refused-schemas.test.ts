import { expect, test } from 'vitest';
import { loadPets, pets, thrownBy, toolFile, version } from '../../test/fixture.js';
import { CatalogError } from '../errors.js';

const text = { type: 'string' };
const files = (versions: readonly ReturnType<typeof version>[], types?: object) => ({
  'tools/pets_list.json': toolFile('pets_list', versions),
  ...(types === undefined ? {} : { 'types.json': { $defs: types } }),
});
const withSchema = (schema: unknown) => {
  const body = { name: '{name}' };
  const input = { type: 'object', additionalProperties: false, properties: { name: schema } };
  return files([version({}, { input, request: { method: 'POST', path: '/', body } })]);
};
const ruled = (rule: object) => files([version({ properties: { a: text, b: text }, ...rule })]);
const circle = { Pet: { $ref: '#/$defs/Animal' }, Animal: { anyOf: [text, { $ref: '#/$defs/Pet' }] } };
const IN = 'versions[0].input';

test.each([
  {
    title: 'a null schema',
    files: withSchema(null),
    problem: `${IN}.properties.name: a schema must be an object`,
  },
  {
    title: 'the keyword required on the field itself',
    files: withSchema({ ...text, required: true }),
    problem: `${IN}.properties.name.required: the value must be a list of the properties`,
  },
  {
    title: 'the OpenAPI keyword nullable',
    files: withSchema({ ...text, nullable: true }),
    problem: `${IN}.properties.name.nullable: JSON Schema has no "nullable"; write the type as ["string", "null"]`,
  },
  {
    title: 'an unknown type',
    files: withSchema({ type: 'strnig' }),
    problem: `${IN}.properties.name.type: "strnig" is not a type; did you mean "string"?`,
  },
  {
    title: 'a default of another type',
    files: withSchema({ type: 'integer', default: '5' }),
    problem: `${IN}.properties.name.default: "5" does not have the type integer`,
  },
  {
    title: 'a default beyond the maximum',
    files: withSchema({ type: 'integer', maximum: 3, default: 5 }),
    problem: `${IN}.properties.name.default: 5 is above "maximum"`,
  },
  {
    title: 'a default that is not in the enum',
    files: withSchema({ enum: ['a'], default: 'b' }),
    problem: `${IN}.properties.name.default: "b" is not in "enum"`,
  },
  {
    title: 'an enum value of another type',
    files: withSchema({ type: 'integer', enum: [1, '2'] }),
    problem: `${IN}.properties.name.enum[1]: "2" does not have the type integer`,
  },
  {
    title: 'a group that is not a list',
    files: ruled({ exactlyOneOf: 'a' }),
    problem: `${IN}.exactlyOneOf: the value must be a list of names`,
  },
  {
    title: 'a requiredWith rule without a list',
    files: ruled({ requiredWith: { a: 'b' } }),
    problem: `${IN}.requiredWith: the value must be an object such as { "a": ["b"] }`,
  },
  {
    title: 'a before rule with one pair instead of a list of pairs',
    files: ruled({ before: ['a', 'b'] }),
    problem: `${IN}.before: the value must be a list of pairs`,
  },
  {
    title: 'a shape that only refers to itself',
    files: files([version({}, { output: { $ref: 'types.json#/$defs/Pet' } })], circle),
    problem: 'types.json: $defs.Animal: the shape only refers to itself',
  },
  {
    title: 'a shape that is not a schema',
    files: files([version({})], { Pet: [text] }),
    problem: 'types.json: $defs.Pet: a schema must be an object',
  },
  {
    title: 'a folder with a misspelled name',
    files: { 'tool/pets_list.json': toolFile('pets_list', [version({})]) },
    problem: 'pets/tool: whole file: no part of a connector has this name; did you mean "tools"?',
  },
  {
    title: 'a tool in a subfolder of tools',
    files: { ...files([version({})]), 'tools/lists/pets_list.json': toolFile('pets_list', [version({})]) },
    problem:
      'pets/tools/lists: whole file: this entry is ignored, because a tool is a file that ends with .json',
  },
  {
    title: 'a tool file in JSON with comments',
    files: { ...files([version({})]), 'tools/pets_list.jsonc': toolFile('pets_list', [version({})]) },
    problem: 'pets/tools/pets_list.jsonc: whole file: this entry is ignored',
  },
  {
    title: 'a tool whose method name would begin with a digit',
    files: { 'tools/pets_2fa.json': toolFile('pets_2fa', [version({})]) },
    problem: 'name: the generated method would begin with a digit',
  },
])('refuses $title', ({ files: given, problem }) => {
  expect(thrownBy(() => loadPets(given))).toBeInstanceOf(CatalogError);
  expect(() => loadPets(given)).toThrow(problem);
});

test('reports a wrong shared shape once and no problems of schemas that refer to it', () => {
  const output = { $ref: 'types.json#/$defs/Pet' };
  const error = thrownBy(() => loadPets(files([version({}, { output })], { Pet: { type: 'objekt' } })));
  expect(error instanceof CatalogError ? error.problems.map(({ where }) => where) : error).toEqual([
    '$defs.Pet.type',
  ]);
});

const oauth = {
  type: 'oauth2',
  authorizationEndpoint: 'https://pets.example.com/authorize',
  tokenEndpoint: 'https://pets.example.com/token',
  scopes: [{ name: 'read', description: 'Reads.' }],
  inject: pets.auth.inject,
};

test.each([
  { part: { baseUrl: 'ftp://pets.example.com' }, problem: 'baseUrl: the URL must begin with https://' },
  {
    part: { baseUrl: 'https://me:secret@pets.example.com' },
    problem: 'baseUrl: the URL contains a credential',
  },
  { part: { baseUrl: 'https://pets.example.com/v1?a=b' }, problem: 'baseUrl: a base URL must not contain' },
  {
    part: { auth: { ...oauth, tokenEndpoint: 'javascript:1' } },
    problem: 'auth.tokenEndpoint: the URL must begin with https://',
  },
  {
    part: { auth: { ...oauth, scopes: [...oauth.scopes, ...oauth.scopes] } },
    problem: 'auth.scopes[1]: the scope "read" is declared twice',
  },
  {
    part: { auth: { ...oauth, subjectClaim: 'sub' } },
    problem: 'auth.subjectClaim: "subjectClaim" needs the scope "openid"',
  },
  { part: { headers: { 'x pets': '1' } }, problem: 'headers.x pets: "x pets" is not a valid header name' },
  { part: { headers: { 'x-pets': '1\n2' } }, problem: 'headers.x-pets: the value has line breaks' },
  {
    part: { auth: { type: 'api_key', inject: { query: 'key', value: '{credential}' } } },
    problem: 'auth.inject.value: "value" needs the name of a header',
  },
  {
    part: { errors: [{ status: 200 }] },
    problem: 'errors[0]: this rule makes every response with its status an error',
  },
])('refuses a connector.json: $problem', ({ part, problem }) => {
  expect(() => loadPets({ 'connector.json': { ...pets, ...part } })).toThrow(problem);
});

const get = (path: string) => ({ method: 'GET', path });
const two = version({}, { request: undefined, requests: [get('/a'), get('/b')] });
const output = { type: 'object', additionalProperties: true, properties: { id: text } };

test.each([
  {
    title: 'a reply that does not match the output schema',
    from: version({}, { output, response: { data: { id: '{/key}' } } }),
    example: { reply: { key: 5 } },
    problem: 'examples[0].reply.id: "id" must be a string, but a number was given',
  },
  {
    title: 'a missing second request',
    from: two,
    example: { requests: [get('/a')], replies: [{}] },
    problem:
      'examples[0].requests[1]: the request differs from what the tool sends; correct one. Sent: {"method":"GET","path":"/b"}',
  },
  {
    title: 'a second request without the reply to the first',
    from: two,
    example: { requests: [get('/a'), get('/b')] },
    problem: 'examples[0].requests[1]: the tool sends no such request; delete it, or add the missing reply',
  },
])('refuses an example with $title', ({ from, example, problem }) => {
  const examples = [{ title: 'One', input: {}, ...example }];
  const file = { 'tools/pets_list.json': toolFile('pets_list', [from], { examples }) };
  expect(() => loadPets(file)).toThrow(problem);
});
