import type { JsonObject, JsonSchema } from './json-schema.js';

/** A method that upstreams are asked with. */
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A tool file, with the id of the connector that it belongs to. */
export interface Tool {
  /** The connector's id, an underscore, and the tool's own name. */
  readonly name: string;
  readonly connector: string;
  readonly title: string;
  /** For a person and a model. */
  readonly description: string;
  readonly hints: ToolHints;
  /** Upstream scopes of which the account needs one; empty when the upstream has none. */
  readonly scopes: readonly string[];
  /** The tool takes `schema_version` and `tool_version` as inputs too. */
  readonly versionInputs: boolean;
  readonly versions: readonly ToolVersion[];
  readonly examples: readonly Example[];
}

/** What calling a tool does to the upstream. */
export interface ToolHints {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly longRunning: boolean;
}

/** `current` runs when the caller names no version. */
export type VersionStatus = 'current' | 'supported' | 'deprecated';

interface VersionCommon {
  /** Names the contract: input and output. */
  readonly schema_version: string;
  /** Names the implementation. */
  readonly tool_version: string;
  readonly status: VersionStatus;
  /** As written in the file; `Catalog.inputSchemaOf` has it without references to other files. */
  readonly input: JsonSchema;
  /** As written in the file; `Catalog.outputSchemaOf` has it without references to other files. */
  readonly output: JsonSchema | boolean;
  readonly paging?: Paging;
}

/** A version that is one upstream request, made from the input by a binding. */
export interface RequestVersion extends VersionCommon {
  readonly request: RequestBinding;
  readonly mcp?: never;
  readonly handler?: never;
}

/** A version that is one call of an upstream MCP tool. */
export interface McpVersion extends VersionCommon {
  readonly mcp: McpBinding;
  readonly request?: never;
  readonly handler?: never;
}

/** A version that the service implements in code. */
export interface HandlerVersion extends VersionCommon {
  readonly handler: true;
  readonly request?: never;
  readonly mcp?: never;
}

/** One contract with one implementation. */
export type ToolVersion = RequestVersion | McpVersion | HandlerVersion;

/** How the next page is asked for. */
export interface Paging {
  /** The input that takes the token of a page. */
  readonly input: string;
  /** The field of data that holds the token of the next page; absent, null or empty on the last. */
  readonly output: string;
  /** The field of data that holds the page's items. */
  readonly items: string;
}

/** A value is a literal, a whole-string `"{name}"`, or a nesting of these. Only `path` mixes text and names. */
export interface RequestBinding {
  readonly method: Method;
  /** One of the connector's hosts; absent for its base URL. */
  readonly host?: string;
  readonly path: string;
  readonly query?: Readonly<JsonObject>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Which upstream MCP tool is called, and with what; values as in `RequestBinding`. */
export interface McpBinding {
  readonly tool: string;
  readonly arguments?: Readonly<JsonObject>;
}

/** A request as a tool makes it, before default headers and credentials are added. */
export interface SentRequest {
  /** `MCP` for the call of an upstream MCP tool: `path` is its name, `body` holds its `arguments`. */
  readonly method: string;
  /** One of the connector's hosts; absent for its base URL. */
  readonly host?: string;
  readonly path: string;
  readonly query?: Readonly<JsonObject>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The secret that takes the place of the account's. */
  readonly credential?: string;
}

/** An input, the requests that it becomes, the bodies that the upstream answers, and the data that the caller gets. */
export interface Example {
  readonly title: string;
  /** The `schema_version` that runs; the current one when absent. */
  readonly version?: string;
  readonly input: Readonly<JsonObject>;
  readonly request?: SentRequest;
  /** The body of the answer; null for an empty one. */
  readonly reply?: unknown;
  readonly requests?: readonly SentRequest[];
  readonly replies?: readonly unknown[];
  readonly data?: unknown;
}
