import { existsSync } from 'node:fs';
import type { Example, JsonObject, JsonSchema, Tool, ToolHints, ToolVersion } from '@svc/catalog';
import { readJsonFile } from '../read-json-file.js';

/** Content of `released.json`. */
export interface ReleaseFile {
  readonly connectors: Readonly<Record<string, ReleasedConnector>>;
}

/** A connector as the newest release of its package has it. */
export interface ReleasedConnector {
  readonly package: string;
  readonly version: string;
  /** Hash of the content of connector.json. */
  readonly hash: string;
  /** Part of connector.json on which callers rely; absent in older files. */
  readonly upstream?: ReleasedUpstream;
  /** Hash of the shapes that its tools use, with their descriptions; absent in older files. */
  readonly shapes?: string;
  /** The shapes that its tools share, without words. */
  readonly types: Readonly<Record<string, JsonSchema>>;
  readonly tools: Readonly<Record<string, ReleasedTool>>;
}

/** Names that callers and accounts use. */
export interface ReleasedUpstream {
  /** Authorization type of accounts. */
  readonly auth: string;
  readonly scopes: readonly string[];
  /** The scopes of a connection that names none. */
  readonly askedFor: readonly string[];
  readonly credentials: readonly string[];
  readonly regions: readonly string[];
  /** Methods and paths that the proxy accepts; absent for every path. */
  readonly routes?: readonly string[];
}

export interface ReleasedTool extends Pick<Tool, 'bodyBytes' | 'scopes' | 'versionInputs'> {
  /** Hash of the whole file, including descriptions and examples. */
  readonly hash: string;
  readonly hints: ToolHints;
  readonly entries: readonly ReleasedEntry[];
  readonly examples: readonly Example[];
}

/** A version of a tool, frozen from its first release on. */
export interface ReleasedEntry
  extends Pick<ToolVersion, 'schema_version' | 'tool_version' | 'status' | 'paging'> {
  /** The version of the package that had it first. */
  readonly since: string;
  /** Hash of the contract. */
  readonly hash: string;
  /** References lead into the connector's types. */
  readonly input: JsonSchema;
  readonly output: JsonSchema | boolean;
  /** Implementation as in the file: a request, an upstream MCP tool or a handler. */
  readonly way: Readonly<JsonObject>;
}

/** Reads what was released; nothing where there is no such file yet. */
export function readReleaseFile(path: string): ReleaseFile {
  if (!existsSync(path)) return { connectors: {} };
  // Written by `releaseFileText`, and compared with the catalogue whatever it says.
  return readJsonFile(path) as ReleaseFile;
}

/** A member of a JSON object: its name, and the text of its value. */
type Member = readonly [name: string, text: string];

/** The text of `released.json`: a line for each entry, so that the difference of two releases can be read. */
export function releaseFileText({ connectors }: ReleaseFile): string {
  const members = Object.entries(connectors).map(([id, each]): Member => [id, connectorText(each)]);
  return `${object([['connectors', object(members, 1)]], 0)}\n`;
}

function connectorText({ types, tools, ...facts }: ReleasedConnector): string {
  const toolTexts = Object.entries(tools).map(([name, { entries, examples, ...tool }]): Member => {
    const lists: readonly Member[] = [
      ['entries', list(entries, 4)],
      ['examples', list(examples, 4)],
    ];
    return [name, object([...membersOf(tool), ...lists], 4)];
  });
  const parts: readonly Member[] = [
    ['types', object(membersOf(types), 3)],
    ['tools', object(toolTexts, 3)],
  ];
  return object([...membersOf(facts), ...parts], 2);
}

const membersOf = (value: object): readonly Member[] =>
  Object.entries(value).map(([name, member]): Member => [name, JSON.stringify(member)]);

function object(members: readonly Member[], depth: number): string {
  if (members.length === 0) return '{}';
  const indent = '  '.repeat(depth + 1);
  const lines = members.map(([name, text]) => `${indent}${JSON.stringify(name)}: ${text}`);
  return `{\n${lines.join(',\n')}\n${'  '.repeat(depth)}}`;
}

function list(items: readonly unknown[], depth: number): string {
  const indent = '  '.repeat(depth + 1);
  return `[\n${items.map((item) => indent + JSON.stringify(item)).join(',\n')}\n${'  '.repeat(depth)}]`;
}
