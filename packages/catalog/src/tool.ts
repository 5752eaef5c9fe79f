import type { JsonObject, JsonSchema } from './json-schema.js';

/** HTTP method of an upstream request. */
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Content of a tool file, with the id of its connector. */
export interface Tool {
  /** Name of the tool: the connector's id, an underscore, and the rest. */
  readonly name: string;
  readonly connector: string;
  readonly title: string;
  /** Description for a person and a model. */
  readonly description: string;
  /** Up to five phrases in users' words, by which a search finds the tool. */
  readonly phrases: readonly string[];
  /** True when the product's specification does not list the tool. */
  readonly additional: boolean;
  readonly hints: ToolHints;
  /** Scopes of which the account needs at least one. Empty when the upstream has no scopes. */
  readonly scopes: readonly string[];
  /** True when `schema_version` and `tool_version` are also accepted as inputs. */
  readonly versionInputs: boolean;
  /** Maximum size of the call's body in bytes, when it is above the default of 1 MiB. */
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

/** Support status of a version. `current` runs when the caller requests no version. */
export type VersionStatus = 'current' | 'supported' | 'deprecated';

interface VersionCommon {
  /** Version of the contract, which is input and output. */
  readonly schema_version: string;
  /** Version of the implementation. */
  readonly tool_version: string;
  readonly status: VersionStatus;
  /** Schema as in the file. `Catalog.inputSchemaOf` returns it without references to other files. */
  readonly input: JsonSchema;
  /** Schema as in the file. `Catalog.outputSchemaOf` returns it without references to other files. */
  readonly output: JsonSchema | boolean;
  readonly paging?: Paging;
}

/** Version that sends one upstream request, which a binding builds from the input. */
export interface RequestVersion extends VersionCommon {
  readonly request: RequestBinding;
  readonly answer?: AnswerBinding;
  readonly requests?: never;
  readonly mcp?: never;
  readonly handler?: never;
}

/** Version that sends several upstream requests in sequence. Each may use the response of the previous one. */
export interface RequestsVersion extends VersionCommon {
  readonly requests: readonly RequestBinding[];
  readonly answer?: AnswerBinding;
  readonly request?: never;
  readonly mcp?: never;
  readonly handler?: never;
}

/** Version that calls one tool of the upstream's MCP server. */
export interface McpVersion extends VersionCommon {
  readonly mcp: McpBinding;
  readonly answer?: AnswerBinding;
  readonly request?: never;
  readonly requests?: never;
  readonly handler?: never;
}

/** Version that a handler in the service's code implements. */
export interface HandlerVersion extends VersionCommon {
  readonly handler: true;
  readonly answer?: never;
  readonly request?: never;
  readonly requests?: never;
  readonly mcp?: never;
}

/** Version of a tool: one contract with one implementation. */
export type ToolVersion = RequestVersion | RequestsVersion | McpVersion | HandlerVersion;

/**
 * Paging of a tool. With `page`, `offset` or `link`, the service calculates the value for the next page and adds it to data as
 * `output`. Otherwise the upstream's response contains it there.
 */
export interface Paging {
  /**
   * Input that takes the token, number or offset of a page. Absent: the data mentions further pages, but no input
   * requests them.
   */
  readonly input?: string;
  /** Further inputs that the next page needs, with the paths in the data of their values. */
  readonly also?: Readonly<Record<string, string>>;
  /**
   * Path in the data of the value for the next page, such as `meta/cursor`. The value is absent, null or empty on the
   * last page.
   */
  readonly output: string;
  /** Path in the data of the items of a page. */
  readonly items: string;
  readonly page?: PagePaging;
  readonly offset?: OffsetPaging;
  /** Query parameter in the next URL of the Link header that identifies the next page. */
  readonly link?: string;
}

/** Paging by page number. The paths point into the upstream's response. */
export interface PagePaging {
  /** Path of the current page number in the response. */
  readonly number?: string;
  /** Path of the last page number in the response. */
  readonly of?: string;
  /** Path of the next page number in the response. */
  readonly next?: string;
  /**
   * Input with the number of items per page. Without other facts in the response, a page with fewer items is the last
   * one.
   */
  readonly size?: string;
}

/** Paging by the number of items before the page. */
export interface OffsetPaging {
  /** Path in the response of the total number of items. */
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
