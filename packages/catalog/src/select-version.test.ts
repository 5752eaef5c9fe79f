import { describe, expect, test } from 'vitest';
import { loadTool, thrownBy, version } from '../test/fixture.js';
import { UnknownVersionError } from './errors.js';
import { selectVersion } from './select-version.js';

const pair = (schema_version: string, tool_version: string, status: string) =>
  version({}, { schema_version, tool_version, status });

const { tool } = loadTool([
  pair('1.9.0', '1.0.0', 'supported'),
  pair('1.10.0', '1.0.0', 'supported'),
  pair('1.10.0', '1.2.0', 'current'),
  pair('1.10.0', '1.11.0', 'supported'),
  pair('2.0.0', '2.0.0', 'supported'),
]);

describe('selectVersion', () => {
  test.each([
    { title: 'the current version when no version is requested', wanted: {}, chosen: ['1.10.0', '1.2.0'] },
    {
      title: 'the newest tool version of a schema version',
      wanted: { schemaVersion: '1.10.0' },
      chosen: ['1.10.0', '1.11.0'],
    },
    {
      title: 'the newest schema version of a tool version',
      wanted: { toolVersion: '1.0.0' },
      chosen: ['1.10.0', '1.0.0'],
    },
    {
      title: 'exactly the requested pair',
      wanted: { schemaVersion: '1.9.0', toolVersion: '1.0.0' },
      chosen: ['1.9.0', '1.0.0'],
    },
  ])('chooses $title', ({ wanted, chosen }) => {
    const { schema_version, tool_version } = selectVersion(tool, wanted);
    expect([schema_version, tool_version]).toEqual(chosen);
  });

  test.each([
    {
      title: 'an unknown schema version',
      wanted: { schemaVersion: '3.0.0' },
      message: 'has no schema version "3.0.0"',
    },
    {
      title: 'an unknown pair of known versions',
      wanted: { schemaVersion: '2.0.0', toolVersion: '1.0.0' },
      message: 'with tool version "1.0.0"',
    },
  ])('lists the available versions for $title', ({ wanted, message }) => {
    const error = thrownBy(() => selectVersion(tool, wanted));
    expect(error).toBeInstanceOf(UnknownVersionError);
    expect(error).toMatchObject({ message: expect.stringContaining(message) });
    expect(error).toHaveProperty('available.4', {
      schemaVersion: '2.0.0',
      toolVersion: '2.0.0',
      status: 'supported',
    });
  });
});
