import { expect, test } from 'vitest';
import { type Files, loadPets, pets, toolFile, version, writeFolder } from '../../test/fixture.js';
import type { JsonObject } from '../json-schema.js';
import { loadCatalog } from '../load/load-catalog.js';
import { idProblem } from './check-names.js';

const text = { type: 'string', description: 'Text.' };
const trigger = {
  title: 'Pet fed',
  description: 'Somebody fed a pet.',
  payload: {
    type: 'object',
    additionalProperties: true,
    required: ['pet'],
    properties: { pet: { $ref: 'types.json#/$defs/Pet' } },
  },
  example: { pet: { id: '1' } },
};
const webhooks = {
  create: { tool: 'pets_hook', url: 'url', trigger: 'event', id: '/id' },
  delete: { tool: 'pets_unhook', id: 'id' },
  triggers: { pet_fed: trigger },
};
const Pet = {
  type: 'object',
  additionalProperties: true,
  required: ['id'],
  properties: { id: { type: 'string' } },
};

const Hook = { type: 'object', additionalProperties: false, properties: { id: text } };

const inputOf = (names: readonly string[], rest: JsonObject = {}) => ({
  properties: { ...Object.fromEntries(names.map((name) => [name, text])), ...rest },
  required: [...names, ...Object.keys(rest)],
});
const hooked = (changes: JsonObject = {}, event: JsonObject = text): Files => ({
  'connector.json': { ...pets, webhooks: { ...webhooks, ...changes } },
  'types.json': { $defs: { Pet } },
  'tools/pets_hook.json': toolFile('pets_hook', [version(inputOf(['url'], { event }), { output: Hook })], {
    examples: [{ title: 'One', input: { url: 'u', event: event['enum'] === undefined ? 'e' : 'pet_sold' } }],
  }),
  'tools/pets_unhook.json': toolFile('pets_unhook', [version(inputOf(['id']))], {
    examples: [{ title: 'One', input: { id: '1' } }],
  }),
});

test('returns webhooks, with schemas of payloads that contain their shared schemas', () => {
  const catalog = loadPets(hooked());
  expect(catalog.connectors.get('pets')?.webhooks).toEqual(webhooks);
  expect(catalog.payloadSchemaOf('pets', 'pet_fed')).toMatchObject({ $defs: { Pet } });
  expect(catalog.payloadProblems('pets', 'pet_fed', { pet: {} })).toMatchObject([{ rule: 'required' }]);
  expect(() => catalog.payloadSchemaOf('pets', 'pet_lost')).toThrow('has no trigger "pet_lost"');
});

test.each<{ title: string; files: Files; problem: string }>([
  {
    title: 'an unknown tool',
    files: hooked({ delete: { tool: 'pets_free', id: 'id' } }),
    problem: 'webhooks.delete.tool: the connector has no tool "pets_free"',
  },
  {
    title: 'an unknown input',
    files: hooked({ create: { ...webhooks.create, url: 'address' } }),
    problem: 'webhooks.create.url: the tool has no input "address"',
  },
  {
    title: 'a tool with another required input',
    files: hooked({ create: { ...webhooks.create, trigger: 'url' } }),
    problem:
      'webhooks.create.tool: the service cannot call the tool, because the tool also requires event; name a tool that needs no other input',
  },
  {
    title: 'a trigger that the tool refuses',
    files: hooked({}, { ...text, enum: ['pet_sold'] }),
    problem: 'webhooks.triggers.pet_fed: the tool does not accept this trigger; use one of pet_sold',
  },
  {
    title: 'a trigger that a shared schema of the tool refuses',
    files: {
      ...hooked({}, { $ref: 'types.json#/$defs/Event' }),
      'types.json': { $defs: { Pet, Event: { ...text, enum: ['pet_sold'] } } },
    },
    problem: 'webhooks.triggers.pet_fed: the tool does not accept this trigger; use one of pet_sold',
  },
  {
    title: 'an id that the tool does not return',
    files: hooked({ create: { ...webhooks.create, id: '/hook/id' } }),
    problem: 'webhooks.create.id: "hook/id" is not in the output of the tool',
  },
  {
    title: 'a payload with an unknown shared schema',
    files: hooked({
      triggers: { pet_fed: { ...trigger, payload: { $ref: 'types.json#/$defs/Dog' } } },
    }),
    problem: 'webhooks.triggers.pet_fed.payload.$ref: "types.json#/$defs/Dog" points to no schema',
  },
  {
    title: 'an example that its schema refuses',
    files: hooked({ triggers: { pet_fed: { ...trigger, example: { pet: {} } } } }),
    problem: 'webhooks.triggers.pet_fed.example',
  },
  {
    title: 'a name of a trigger with a dot',
    files: hooked({ triggers: { 'pet.fed': trigger } }),
    problem: 'webhooks',
  },
])('refuses webhooks with $title', ({ files, problem }) => {
  expect(() => loadPets(files)).toThrow(problem);
});

test.each(['account', 'connection', 'approval', 'execution', 'endpoint', 'watch'])(
  'refuses a connector with the id %s, which begins types of events of the service',
  (id) => {
    expect(idProblem(id)).toContain("is the first part of the service's own event types");
    const folder = writeFolder({ [id]: { 'connector.json': { ...pets, id } } });
    expect(() => loadCatalog({ builtIn: false, folders: [folder] })).toThrow('connector.json: id:');
  },
);
