import type { Example, JsonObject, JsonSchema, Tool, ToolHints, ToolVersion } from '@svc/catalog';

/** What was released: the content of `released.json`. */
export interface ReleaseFile {
  readonly connectors: Readonly<Record<string, ReleasedConnector>>;
}

/** A connector as the newest release of its package has it. */
export interface ReleasedConnector {
  readonly package: string;
  readonly version: string;
  /** Of everything that connector.json says. */
  readonly hash: string;
  /** What callers rely on of it; absent in a file that is older than this. */
  readonly upstream?: ReleasedUpstream;
  /** Of the shapes that its tools use, with their words; absent in a file that is older than this. */
  readonly shapes?: string;
  /** The shapes that its tools share, without words. */
  readonly types: Readonly<Record<string, JsonSchema>>;
  readonly tools: Readonly<Record<string, ReleasedTool>>;
}

/** Names that callers and accounts use. */
export interface ReleasedUpstream {
  /** How accounts are authorized. */
  readonly auth: string;
  readonly scopes: readonly string[];
  /** The scopes of a connection that names none. */
  readonly askedFor: readonly string[];
  readonly credentials: readonly string[];
  readonly regions: readonly string[];
  /** What the proxy takes, with its method; absent for every path. */
  readonly routes?: readonly string[];
}

export interface ReleasedTool extends Pick<Tool, 'bodyBytes' | 'scopes' | 'versionInputs'> {
  /** Of the whole file, words and examples included. */
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
  /** Of its shape. */
  readonly hash: string;
  /** References lead into the connector's types. */
  readonly input: JsonSchema;
  readonly output: JsonSchema | boolean;
  /** How it is implemented: a request, an upstream MCP tool or a handler, as the file says it. */
  readonly way: Readonly<JsonObject>;
}
