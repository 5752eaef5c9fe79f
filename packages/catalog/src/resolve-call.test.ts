import { describe, expect, test } from 'vitest';
import { loadTool, thrownBy, version } from '../test/fixture.js';
import { InvalidInputError, UnknownVersionError } from './errors.js';

const name = { properties: { name: { type: 'string' } } };
const versions = [
  version(name, { status: 'supported' }),
  version({ properties: { title: { type: 'string' } } }, { schema_version: '2.0.0', tool_version: '2.0.0' }),
];

describe('resolveCall', () => {
  const { catalog, tool } = loadTool(versions, { versionInputs: true });
  const call = (toolInput: unknown, options = {}) => catalog.resolveCall(tool, { toolInput, ...options });

  test.each([
    { title: 'from the input', toolInput: { name: 'Rex', schema_version: '1.0.0' }, options: {} },
    { title: 'from the options', toolInput: { name: 'Rex' }, options: { schemaVersion: '1.0.0' } },
    {
      title: 'given in both input and options',
      toolInput: { name: 'Rex', tool_version: '1.0.0' },
      options: { toolVersion: '1.0.0' },
    },
  ])('uses a version $title and removes it from the input', ({ toolInput, options }) => {
    const { version: chosen, input } = call(toolInput, options);
    expect(chosen.schema_version).toBe('1.0.0');
    expect(input).toEqual({ name: 'Rex' });
  });

  test('refuses two different versions', () => {
    const error = thrownBy(() => call({ schema_version: '1.0.0' }, { schemaVersion: '2.0.0' }));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toHaveProperty('errors.0.field', 'schema_version');
  });

  test('refuses a version that is not a string', () => {
    expect(() => call({ tool_version: 1 })).toThrow('"tool_version" must be a string');
  });

  test('refuses a version that does not exist', () => {
    expect(thrownBy(() => call({ schema_version: '9.9.9' }))).toBeInstanceOf(UnknownVersionError);
  });

  test('validates against the chosen version', () => {
    expect(() => call({ name: 'Rex' })).toThrow('"name" is not a known field');
  });

  test('accepts versions only as options for a tool without version inputs', () => {
    const plain = loadTool([version(name)]);
    const attempt = () => plain.catalog.resolveCall(plain.tool, { toolInput: { schema_version: '1.0.0' } });
    expect(attempt).toThrow('"schema_version" is not a known field');
  });
});
