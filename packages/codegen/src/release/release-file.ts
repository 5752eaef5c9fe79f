import { existsSync } from 'node:fs';
import type { Example, JsonObject, JsonSchema, Tool, ToolHints, ToolVersion } from '@svc/catalog';
import { readJsonFile } from '../read-json-file.js';

/** Content of `released.json`, which records what the last release of the catalogue promises. */
export interface ReleaseFile {
  readonly connectors: Readonly<Record<string, ReleasedConnector>>;
}

/** Connector as recorded by the newest release of its npm package. */
export interface ReleasedConnector {
  readonly package: string;
  readonly version: string;
  /** Hash of the content of connector.json, to detect changes since the release. */
  readonly hash: string;
  /** Part of connector.json on which callers rely. Absent in a `released.json` of an older generator. */
  readonly upstream?: ReleasedUpstream;
  /**
   * Hash of the shared schemas that the connector's tools use, including descriptions. Absent in a `released.json` of
   * an older generator.
   */
  readonly shapes?: string;
  /** Schemas of the webhook payloads by trigger, without descriptions. Absent without webhooks. */
  readonly triggers?: Readonly<Record<string, JsonSchema>>;
  /** Shared schemas of the connector's tools by name, without descriptions. */
  readonly types: Readonly<Record<string, JsonSchema>>;
  readonly tools: Readonly<Record<string, ReleasedTool>>;
}

/** Names from connector.json on which callers and connected accounts rely. */
export interface ReleasedUpstream {
  /** Authorization type of accounts, such as `oauth2`. */
  readonly auth: string;
  readonly scopes: readonly string[];
  /** OAuth scopes that are requested when a connection names none. */
  readonly defaultScopes: readonly string[];
  readonly credentials: readonly string[];
  readonly regions: readonly string[];
  /** Methods and paths that the proxy accepts. Absent if it accepts every path. */
  readonly routes?: readonly string[];
}

export interface ReleasedTool extends Pick<Tool, 'bodyBytes' | 'scopes' | 'versionInputs'> {
  /** Hash of the whole tool file, including descriptions and examples, to detect changes since the release. */
  readonly hash: string;
  readonly hints: ToolHints;
  readonly entries: readonly ReleasedEntry[];
  readonly examples: readonly Example[];
}

/** Version of a tool, which must not change after its first release. */
export interface ReleasedEntry
  extends Pick<ToolVersion, 'schema_version' | 'tool_version' | 'status' | 'paging'> {
  /** Version of the connector's npm package that first contained this tool version. */
  readonly since: string;
  /**
   * Hash of the input, output, paging and implementation (`way`), to detect forbidden changes of a released tool
   * version.
   */
  readonly hash: string;
  /** True if `svc.watch` can poll the tool version. Absent otherwise. */
  readonly isWatched?: boolean;
  /** Input schema of the tool version. Its references point to `types` of the connector. */
  readonly input: JsonSchema;
  readonly output: JsonSchema | boolean;
  /** Implementation of the tool version as in the tool file: a request, an upstream MCP tool or a handler. */
  readonly way: Readonly<JsonObject>;
}

/** Reads a `released.json` file. Returns a release without connectors if the file does not exist. */
export function readReleaseFile(path: string): ReleaseFile {
  if (!existsSync(path)) return { connectors: {} };
  // The file content is not validated, because `releaseFileText` wrote it.
  return readJsonFile(path) as ReleaseFile;
}

/** Name and JSON text of a member of a JSON object. */
type Member = readonly [name: string, text: string];

/**
 * Serializes the content of `released.json` with one line for each tool version and example, so that a diff of two
 * releases is readable.
 */
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
