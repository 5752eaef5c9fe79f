import { existsSync } from 'node:fs';
import { readJsonFile } from '../read-json-file.js';
import type { ReleasedConnector, ReleaseFile } from './release-file.js';

/** Reads what was released; nothing where there is no such file yet. */
export function readReleaseFile(path: string): ReleaseFile {
  if (!existsSync(path)) return { connectors: {} };
  // Written by `releaseFileText`, and compared with the catalogue whatever it says.
  return readJsonFile(path) as ReleaseFile;
}

/** The text of `released.json`: a line for each entry, so that the difference of two releases can be read. */
export function releaseFileText({ connectors }: ReleaseFile): string {
  return `${object(
    [
      [
        'connectors',
        object(
          Object.entries(connectors).map(([id, connector]) => [id, connectorText(connector)]),
          1,
        ),
      ],
    ],
    0,
  )}\n`;
}

function connectorText({ types, tools, ...facts }: ReleasedConnector): string {
  const lines = (members: object, depth: number) =>
    object(
      Object.entries(members).map(([name, value]) => [name, JSON.stringify(value)]),
      depth,
    );
  const toolTexts = Object.entries(tools).map(([name, { entries, examples, ...tool }]): [string, string] => [
    name,
    object(
      [
        ...Object.entries(tool).map(([key, value]): [string, string] => [key, JSON.stringify(value)]),
        ['entries', list(entries, 4)],
        ['examples', list(examples, 4)],
      ],
      4,
    ),
  ]);
  return object(
    [
      ...Object.entries(facts).map(([key, value]): [string, string] => [key, JSON.stringify(value)]),
      ['types', lines(types, 3)],
      ['tools', object(toolTexts, 3)],
    ],
    2,
  );
}

function object(members: readonly (readonly [string, string])[], depth: number): string {
  if (members.length === 0) return '{}';
  const indent = '  '.repeat(depth + 1);
  const lines = members.map(([name, text]) => `${indent}${JSON.stringify(name)}: ${text}`);
  return `{\n${lines.join(',\n')}\n${'  '.repeat(depth)}}`;
}

function list(items: readonly unknown[], depth: number): string {
  const indent = '  '.repeat(depth + 1);
  return `[\n${items.map((item) => indent + JSON.stringify(item)).join(',\n')}\n${'  '.repeat(depth)}]`;
}
