import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createStandardAjv } from '../../test/standard-ajv.js';
import { loadCatalog, type Tool } from '../index.js';
import { wireInput, wireOutput } from './wire.js';

const catalog = loadCatalog({ now: () => new Date('2026-11-20T12:00:00Z') });
const every = [...catalog.tools.values()].flatMap((tool) =>
  tool.versions.map((version) => ({ tool, version })),
);

const standard = createStandardAjv();

describe('wireInput', () => {
  test('expresses top-level rules only in the description', () => {
    const properties = { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string' } };
    const wire = wireInput({
      type: 'object',
      description: 'A search.',
      exactlyOneOf: ['a', 'b'],
      requiredWith: { c: ['a'] },
      notFuture: ['c'],
      properties,
    });
    expect(wire).toEqual({
      type: 'object',
      description:
        'A search. Give exactly one of a and b. When c is given, give a too. c must not be in the future.',
      properties,
    });
  });

  test('expresses top-level conditions and counts only in the description', () => {
    const properties = { id: { type: 'string' }, a: { type: 'string' }, b: { type: 'boolean' } };
    const wire = wireInput({
      type: 'object',
      additionalProperties: false,
      required: ['id'],
      minProperties: 2,
      if: { required: ['a'] },
      // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
      then: { properties: { b: { const: true, description: 'With a, b must be true.' } } },
      dependentSchemas: { b: { description: 'b needs a.', required: ['a'] } },
      properties,
    });
    expect(wire).toEqual({
      type: 'object',
      additionalProperties: false,
      required: ['id'],
      description: 'With a, b must be true. b needs a. Give at least 1 other field.',
      properties,
    });
  });

  test.each(every)(
    '$tool.name: has only top-level keywords that every client accepts',
    ({ tool, version }) => {
      const schema = catalog.plainInputSchemaOf(tool, version);
      const wire = wireInput(schema);
      const allowed = ['type', 'description', 'properties', 'required', 'additionalProperties', '$defs'];
      expect(Object.keys(wire).filter((keyword) => !allowed.includes(keyword))).toEqual([]);
      // Descriptions must state each rule whose keyword was removed from the schema for clients.
      const rules = Object.keys(schema).filter((keyword) => !allowed.includes(keyword));
      if (rules.length > 0) expect(wire.description ?? '').not.toBe(schema.description ?? '');
    },
  );

  test('expresses rules of inner objects as keywords', () => {
    const { properties } = wireInput({
      properties: {
        link: {
          type: 'object',
          exactlyOneOf: [
            ['a', 'b'],
            ['c', 'd'],
          ],
          atMostOneOf: ['a', 'd'],
        },
        range: { requiredWhen: [{ property: 'kind', equals: 'custom', required: ['from'] }] },
      },
    });
    expect(properties?.['link']).toMatchObject({
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
      allOf: [{ oneOf: [{ required: ['c'] }, { required: ['d'] }] }],
      not: { anyOf: [{ required: ['a', 'd'] }] },
    });
    expect(properties?.['range']).toMatchObject({
      if: { properties: { kind: { const: 'custom' } }, required: ['kind'] },
      // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
      then: { required: ['from'] },
    });
  });

  test('expresses formats of the catalogue as a pattern or in the description', () => {
    const { properties } = wireInput({
      properties: {
        page: { type: 'string', format: 'uuid-shape' },
        zone: { type: 'string', format: 'time-zone', description: 'Where it is.' },
        day: { type: 'string', format: 'date' },
      },
    });
    expect(properties?.['page']?.['pattern']).toMatch(/^\^\[0-9A-Fa-f\]/);
    expect(properties?.['zone']).toEqual({
      type: 'string',
      description: 'Where it is. It must be an IANA time zone name such as Europe/Berlin.',
    });
    expect(properties?.['day']?.format).toBe('date');
  });

  test.each(every)(
    '$tool.name: a strict standard validator accepts the wire input and every example',
    ({ tool, version }) => {
      const wire = wireInput(catalog.plainInputSchemaOf(tool, version));
      const validate = standard.compile(wire);
      expect(Object.keys(wire).filter((keyword) => /^(allOf|anyOf|oneOf|not|enum)$/.test(keyword))).toEqual(
        [],
      );
      for (const { input } of examplesOf(tool, version.schema_version)) {
        const { schema_version: _, tool_version: __, ...own } = input;
        expect(validate(own), JSON.stringify(validate.errors)).toBe(true);
      }
    },
  );
});

describe('wireOutput', () => {
  test('allows additional fields and unknown enum values of an upstream', () => {
    const wire = wireOutput({
      type: 'object',
      additionalProperties: false,
      properties: { kind: { type: 'string', enum: ['a', 'b'] }, at: { type: 'string', format: 'date-time' } },
    });
    expect(wire).toEqual({
      type: 'object',
      additionalProperties: true,
      properties: { kind: { type: 'string', examples: ['a', 'b'] }, at: { type: 'string' } },
    });
    expect(wireOutput(true)).toEqual({});
  });

  test.each(every)(
    '$tool.name: a strict standard validator accepts the wire output and the example data',
    ({ tool, version }) => {
      const validate = standard.compile(wireOutput(catalog.outputSchemaOf(tool, version)));
      for (const { data } of examplesOf(tool, version.schema_version)) {
        if (data !== undefined) expect(validate(data), JSON.stringify(validate.errors)).toBe(true);
      }
    },
  );
});

test('the dialects module imports no validator', () => {
  const loaded = new Set<string>();
  const walk = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const source = readFileSync(new URL(file, import.meta.url), 'utf8');
    for (const path of importedBy(source)) {
      expect(path).toMatch(/^\./);
      walk(new URL(path.replace(/\.js$/, '.ts'), new URL(file, import.meta.url)).href);
    }
  };
  walk(new URL('../dialects.ts', import.meta.url).href);
  expect(loaded.size).toBeGreaterThan(4);
});

function examplesOf(tool: Tool, schemaVersion: string) {
  const { schema_version: current } = catalog.selectVersion(tool);
  return tool.examples.filter(({ version = current }) => version === schemaVersion);
}

/** Returns the modules that a source file imports at run time. */
function importedBy(source: string): readonly string[] {
  return source
    .split('\n')
    .filter(
      (line) => line.endsWith("';") && !line.startsWith('import type') && !line.startsWith('export type'),
    )
    .flatMap((line) => line.slice(0, -2).split(" from '")[1] ?? []);
}
