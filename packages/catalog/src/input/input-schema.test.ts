import { describe, expect, test } from 'vitest';
import { loadTool, version } from '../../test/fixture.js';

const types = {
  'types.json': {
    $defs: {
      Pet: { type: 'object', additionalProperties: true, properties: { parent: { $ref: '#/$defs/Pet' } } },
      Unused: { type: 'string' },
    },
  },
};

describe('inputSchemaOf', () => {
  test('is self-contained: shared shapes are in $defs, file references are inlined', () => {
    const pet = { properties: { pet: { $ref: 'types.json#/$defs/Pet', description: 'The pet.' } } };
    const again = version(
      {},
      {
        schema_version: '2.0.0',
        status: 'supported',
        input: { $ref: '#/versions/0/input' },
        request: { method: 'POST', path: '/pets', body: { pet: '{pet}' } },
      },
    );
    const { catalog, tool } = loadTool([version(pet), again], {}, types);
    const [first, second] = tool.versions.map((each) => catalog.inputSchemaOf(tool, each));
    expect(first).toEqual({
      type: 'object',
      additionalProperties: false,
      properties: { pet: { $ref: '#/$defs/Pet', description: 'The pet.' } },
      $defs: {
        Pet: { type: 'object', additionalProperties: true, properties: { parent: { $ref: '#/$defs/Pet' } } },
      },
    });
    expect(second).toEqual(first);
  });

  test('lists the existing versions in the version inputs', () => {
    const second = version({}, { schema_version: '1.10.0', status: 'supported' });
    const third = version({}, { schema_version: '1.9.0', status: 'supported' });
    const { catalog, tool, version: first } = loadTool([version({}), second, third], { versionInputs: true });
    const { properties } = catalog.inputSchemaOf(tool, first);
    expect(properties?.['schema_version']?.enum).toEqual(['1.0.0', '1.9.0', '1.10.0']);
    expect(properties?.['tool_version']?.enum).toEqual(['1.0.0']);
  });

  test('describes rules across fields in words', () => {
    const rules = {
      description: 'A time range.',
      properties: {
        from: { type: 'string' },
        to: { type: 'string' },
        id: { type: 'string' },
        mine: { type: 'string' },
      },
      exactlyOneOf: ['id', 'mine'],
      requiredWith: { to: ['from'] },
      before: [['from', 'to']],
      notFuture: ['to'],
      withinMonths: { months: 6, of: [['from', 'to']] },
    };
    const {
      catalog,
      tool,
      version: first,
    } = loadTool([version(rules)], { examples: [{ title: 'Mine', input: { mine: 'yes' } }] });
    expect(catalog.inputSchemaOf(tool, first).description).toBe(
      'A time range. Give exactly one of id and mine. When to is given, give from too. from must be earlier than to. ' +
        'to must not be in the future. from and to must be less than 6 months apart.',
    );
  });
});
