import type { JsonObject, JsonSchema } from './json-schema.js';

/** A method that upstreams are asked with. */
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A tool file, with the id of the connector that it belongs to. */
export interface Tool {
  /** The connector's id, an underscore, and the tool's own name. */
  readonly name: string;
  readonly connector: string;
  readonly title: string;
  /** Description for a person and a model. */
  readonly description: string;
  /** Words of users who need the tool, by which a search finds it. At most five. */
  readonly phrases: readonly string[];
  /** The tool is an addition to those of the product's specification. */
  readonly additional: boolean;
  readonly hints: ToolHints;
  /** Upstream scopes of which the account needs one; empty when the upstream has none. */
  readonly scopes: readonly string[];
  /** The tool takes `schema_version` and `tool_version` as inputs too. */
  readonly versionInputs: boolean;
  /** The largest body of a call, where the upstream takes more than the 1 MiB that all may have. */
  readonly bodyBytes?: number;
  readonly versions: readonly ToolVersion[];
  readonly examples: readonly Example[];
}

/** Effect of a tool on the upstream. */
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
  /** Schema as in the file. `Catalog.inputSchemaOf` returns it without references to other files. */
  readonly input: JsonSchema;
  /** Schema as in the file. `Catalog.outputSchemaOf` returns it without references to other files. */
  readonly output: JsonSchema | boolean;
  readonly paging?: Paging;
}

/** A version that is one upstream request, made from the input by a binding. */
export interface RequestVersion extends VersionCommon {
  readonly request: RequestBinding;
  readonly answer?: AnswerBinding;
  readonly requests?: never;
  readonly mcp?: never;
  readonly handler?: never;
}

/** A version that is several upstream requests in a row, each of which may refer to the answer before. */
export interface RequestsVersion extends VersionCommon {
  readonly requests: readonly RequestBinding[];
  readonly answer?: AnswerBinding;
  readonly request?: never;
  readonly mcp?: never;
  readonly handler?: never;
}

/** A version that is one call of an upstream MCP tool. */
export interface McpVersion extends VersionCommon {
  readonly mcp: McpBinding;
  readonly answer?: AnswerBinding;
  readonly request?: never;
  readonly requests?: never;
  readonly handler?: never;
}

/** A version that the service implements in code. */
export interface HandlerVersion extends VersionCommon {
  readonly handler: true;
  readonly answer?: never;
  readonly request?: never;
  readonly requests?: never;
  readonly mcp?: never;
}

/** One contract with one implementation. */
export type ToolVersion = RequestVersion | RequestsVersion | McpVersion | HandlerVersion;

/**
 * Paging of a tool. With `page`, `offset` or `link`, the service calculates the value for the next page and adds it to data as
 * `output`. Otherwise the upstream's response contains it there.
 */
export interface Paging {
  /** The input that takes the token, number or offset of a page; absent: data tells of further pages, and no input asks for them. */
  readonly input?: string;
  /** Further inputs that the next page needs, and where data holds their values. */
  readonly also?: Readonly<Record<string, string>>;
  /** Path in data of the value for the next page, such as `meta/cursor`; absent, null or empty on the last page. */
  readonly output: string;
  /** Path in data of the page's items. */
  readonly items: string;
  readonly page?: PagePaging;
  readonly offset?: OffsetPaging;
  /** The parameter of the address that the Link header names as the next. */
  readonly link?: string;
}

/** Pages by number. Places are paths in the upstream's answer. */
export interface PagePaging {
  /** Path of this page's number. */
  readonly number?: string;
  /** Path of the last page's number. */
  readonly of?: string;
  /** Path of the next page's number. */
  readonly next?: string;
  /** The input that says how many items a page has, where the answer tells nothing: a page with fewer is the last. */
  readonly size?: string;
}

/** Pages by the number of items before them. */
export interface OffsetPaging {
  /** Path in the response of the number of all items. */
  readonly total?: string;
  /** The input that says how many items a page has, where the answer tells nothing: a page with fewer is the last. */
  readonly size?: string;
}

/** Encoding of a body. Default: `json`. */
export type Encoding = 'json' | 'form' | 'multipart' | 'file';

/** Encoding of a request as it is sent. `related` is a list of parts: JSON values and files. Only handlers send it. */
export type SentEncoding = Encoding | 'related';

/** A value is a literal, a reference to an input or to the answer before, an operator, or a nesting of these. */
export interface RequestBinding {
  readonly method: Method;
  /** One of the connector's hosts; absent for its base URL. */
  readonly host?: string;
  readonly path: string;
  readonly query?: Readonly<JsonObject>;
  readonly headers?: Readonly<JsonObject>;
  readonly body?: unknown;
  readonly encoding?: Encoding;
  /** Parts that the response must have. The call fails without them. */
  readonly needs?: readonly Need[];
}

/** A part of an answer without which the call fails. */
export interface Need {
  readonly at: string;
  /** Default: `upstream_failed`. */
  readonly code?: 'upstream_failed' | 'not_found';
  /** Message with the problem and the remedy. `{name}` is replaced by an input. */
  readonly message?: string;
}

/** Data for the caller from the last response; absent: the response itself. */
export interface AnswerBinding {
  /** Values as in a request, with references into the answer. */
  readonly data?: unknown;
  /** Fields that are left out. */
  readonly omit?: readonly string[];
  /** Upstream errors that become a normal result of the tool. */
  readonly errors?: readonly ErrorAnswer[];
}

/** An error of the upstream that is an answer: its status and parts of its body, and what the caller gets. */
export interface ErrorAnswer {
  readonly status: number;
  readonly body?: Readonly<JsonObject>;
  /** A text that the body holds somewhere, in whatever case. */
  readonly text?: string;
  readonly data: unknown;
}

/** Upstream MCP tool to call, with its arguments; values as in `RequestBinding`. */
export interface McpBinding {
  readonly tool: string;
  readonly arguments?: Readonly<JsonObject>;
  /** A text that holds a JSON object counts as a structured result. */
  readonly json?: boolean;
}

/** A request as a tool makes it, before default headers and credentials are added. */
export interface SentRequest {
  /** `MCP` for the call of an upstream MCP tool: `path` is its name, `body` holds its `arguments`. `DOWNLOAD` for a file: `path` is its signed link. */
  readonly method: string;
  /** One of the connector's hosts; absent for its base URL. */
  readonly host?: string;
  readonly path: string;
  readonly query?: Readonly<JsonObject>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly encoding?: SentEncoding;
  /** Form of the response; absent: JSON. */
  readonly response?: 'text';
  /** The secret that takes the place of the account's. */
  readonly credential?: string;
}

/** The requests of a version that is made of them; none for others. */
export const requestsOf = ({ request, requests = [] }: ToolVersion): readonly RequestBinding[] =>
  request === undefined ? requests : [request];

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
  /** Headers of the last answer, by lower-case names. */
  readonly replyHeaders?: Readonly<Record<string, string>>;
  readonly data?: unknown;
}
