import type { JsonObject, JsonSchema } from './json-schema.js';

/** HTTP method of an upstream request. */
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Content of a tool file, with the id of its connector. */
export interface Tool {
  /** Name of the tool: the connector's id, an underscore, and the name within the connector. */
  readonly name: string;
  readonly connector: string;
  readonly title: string;
  /** Description of the tool for people and models. */
  readonly description: string;
  /** Up to five phrases in users' words, by which a search finds the tool. */
  readonly phrases: readonly string[];
  /** True for a tool that the product's specification does not list. */
  readonly additional: boolean;
  readonly hints: ToolHints;
  /** Scopes of the tool. The account needs at least one. Empty when the upstream has no scopes. */
  readonly scopes: readonly string[];
  /** True when `schema_version` and `tool_version` are also accepted as inputs. */
  readonly versionInputs: boolean;
  /** Maximum size of the call's body in bytes, if it is above the default of 1 MiB. */
  readonly bodyBytes?: number;
  /**
   * Lookup of the title and date of an object, such as an event, that a call names by id. Absent for tools without such
   * an input.
   */
  readonly object?: ObjectLookup;
  readonly versions: readonly ToolVersion[];
  readonly examples: readonly Example[];
}

interface ObjectPaths {
  /** Name of the tool input that contains the object's id, in the current version of the tool. */
  readonly id: string;
  /** Paths to the title in the data. A step `*` stands for any name or index. */
  readonly title: readonly string[];
  /** Paths to the object's date or time in the data. Absent if the object has none. */
  readonly date?: readonly string[];
}

/** Lookup of an object's title and date with a read-only tool of the same connector. */
interface ToolLookup extends ObjectPaths {
  readonly tool: string;
  /** Template of the input with which the lookup calls its tool. */
  readonly input: Readonly<JsonObject>;
  readonly request?: never;
}

/** Lookup of an object's title and date with a GET request, for connectors that have no tool for it. */
interface RequestLookup extends ObjectPaths {
  readonly request: RequestBinding;
  readonly tool?: never;
  readonly input?: never;
}

/**
 * Lookup of the title and date of an object, such as a calendar event. The page on which a person approves a call shows
 * them instead of the object's id.
 */
export type ObjectLookup = ToolLookup | RequestLookup;

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
  /** Schema version: the version of the tool's input and output. */
  readonly schema_version: string;
  /** Tool version: the version of the tool's implementation. */
  readonly tool_version: string;
  readonly status: VersionStatus;
  /** Input schema as in the file. `Catalog.inputSchemaOf` returns it without references to other files. */
  readonly input: JsonSchema;
  /** Output schema as in the file. `Catalog.outputSchemaOf` returns it without references to other files. */
  readonly output: JsonSchema | boolean;
  readonly paging?: Paging;
  /**
   * Settings for watches, which poll the list that the tool returns for new and changed items. Absent: the tool cannot
   * be watched.
   */
  readonly watch?: Watch;
}

/** Version of a tool that sends one upstream request, which a template builds from the input. */
export interface RequestVersion extends VersionCommon {
  readonly request: RequestBinding;
  readonly response?: ResponseBinding;
  readonly requests?: never;
  readonly mcp?: never;
  readonly handler?: never;
}

/**
 * Version of a tool that sends several upstream requests in sequence. Each may use the response of the previous one.
 */
export interface RequestsVersion extends VersionCommon {
  readonly requests: readonly RequestBinding[];
  readonly response?: ResponseBinding;
  readonly request?: never;
  readonly mcp?: never;
  readonly handler?: never;
}

/** Version of a tool that calls one tool of the upstream's MCP server. */
export interface McpVersion extends VersionCommon {
  readonly mcp: McpBinding;
  readonly response?: ResponseBinding;
  readonly request?: never;
  readonly requests?: never;
  readonly handler?: never;
}

/** Version of a tool that a handler in the service's code implements. */
export interface HandlerVersion extends VersionCommon {
  readonly handler: true;
  readonly response?: never;
  readonly request?: never;
  readonly requests?: never;
  readonly mcp?: never;
}

/** Version of a tool: one contract with one implementation. */
export type ToolVersion = RequestVersion | RequestsVersion | McpVersion | HandlerVersion;

/**
 * Paging of a tool. With `page`, `offset`, `link` or `last`, the service calculates the value for the next page and
 * adds it to the data as `output`. Otherwise the data of the upstream already contains the value at the path `output`.
 */
export interface Paging {
  /**
   * Tool input for the token, number or offset of the requested page. Absent: the data mentions further pages, but no
   * input requests them.
   */
  readonly input?: string;
  /** Further tool inputs that a request for the next page needs, each with the path of its value in the data. */
  readonly also?: Readonly<Record<string, string>>;
  /**
   * Path of the value for the next page in the data, such as `meta/cursor`. The value is absent, null or empty on the
   * last page.
   */
  readonly output: string;
  /** Path of the page's items in the data. */
  readonly items: string;
  /**
   * Path of a flag in the data that is false on the last page, such as `has_more`. The page is then the last, even if
   * the data contains a value for the next page.
   */
  readonly more?: string;
  readonly page?: PagePaging;
  readonly offset?: OffsetPaging;
  /** Query parameter that identifies the next page in the URL of the Link header (`rel="next"`). */
  readonly link?: string;
  /**
   * Path in a list item, such as `id`. The value in the last item of a page requests the next page. An empty page is
   * the last.
   */
  readonly last?: string;
}

/** Settings for polling the list that a tool returns. Exactly one of `syncToken`, `since` and `newestFirst` is set. */
export interface Watch {
  /** Path of the list in the tool's data. Absent: the path in `paging.items`. */
  readonly items?: string;
  readonly id: string;
  /** Path in a list item to a value that differs after each change of the item. Absent: items never change. */
  readonly version?: string;
  /** Path in a list item to the time by which the upstream filters or sorts the list. */
  readonly time?: string;
  /** Path in a list item to the time at which the item was created. */
  readonly created?: string;
  /** Path in data to the ids of items that the upstream could not return with the page. */
  readonly failed?: string;
  /** Precision of the time in a list item, in seconds. Some upstreams round this time. */
  readonly resolution?: number;
  /** Path of a field in a list item, and the value of the field that marks the item as deleted. */
  readonly deleted?: { readonly at: string; readonly equals: string | boolean };
  /** Tool inputs with fixed values that the service sends whenever it polls the list. */
  readonly input?: Readonly<JsonObject>;
  /** Tool inputs that an application must not set when it watches the list. */
  readonly without?: readonly string[];
  /** Fields that the service adds to the body of the upstream request when it polls the list. */
  readonly body?: Readonly<JsonObject>;
  readonly syncToken?: SyncToken;
  readonly since?: WatchedSince;
  readonly newestFirst?: { readonly overlap: number };
}

/**
 * Sync token: the upstream returns it after a complete list. A later request with the token lists only the changes
 * since then.
 */
export interface SyncToken {
  readonly input?: string;
  readonly query?: string;
  readonly output: string;
  /** Upstream error that means that the sync token has expired. */
  readonly expired: { readonly status: number; readonly body?: Readonly<JsonObject> };
}

/**
 * Tool input for the earliest time of the listed items. A poll sets it, so that the upstream lists only recent items.
 */
export interface WatchedSince {
  readonly input: string;
  readonly format: 'date-time' | 'utc-date-time';
  /**
   * Seconds by which the earliest time precedes the start of the previous poll, so that items which appear late are
   * found.
   */
  readonly overlap: number;
  /** Maximum number of days that the earliest time may lie in the past. */
  readonly reach: number;
}

/** Paging by page number. The paths point into the upstream's response. */
export interface PagePaging {
  /** Path of the current page number in the upstream response. */
  readonly number?: string;
  /** Path of the last page number in the upstream response. */
  readonly of?: string;
  /** Path of the next page number in the upstream response. */
  readonly next?: string;
  /** Input with the number of items per page. If given, a page with fewer items is the last one. */
  readonly size?: string;
}

/** Paging by offset, which is the number of items before the page. */
export interface OffsetPaging {
  /** Path of the total number of items in the upstream response. */
  readonly total?: string;
  /**
   * Input with the number of items per page. If the response has no total, a page with fewer items is the last one.
   */
  readonly size?: string;
}

/** Encoding of an upstream request's body. Default: `json`. */
export type Encoding = 'json' | 'form' | 'multipart' | 'file';

/**
 * Encoding of an upstream request as it is sent. `related` is a list of parts: JSON values and files. Only handlers
 * send it.
 */
export type SentEncoding = Encoding | 'related';

/**
 * Template of an upstream request. A value is a literal, a reference to an input or to the previous response, an
 * operator, or a nesting of these.
 */
export interface RequestBinding {
  readonly method: Method;
  /** Name of one of the connector's hosts. Absent: the connector's base URL. */
  readonly host?: string;
  readonly path: string;
  readonly query?: Readonly<JsonObject>;
  readonly headers?: Readonly<JsonObject>;
  readonly body?: unknown;
  readonly encoding?: Encoding;
  /**
   * Field names for nested values in a form body. `brackets`: `metadata[color]` and `items[0][price]`. Absent: the body
   * has no nested values, and a list repeats its name.
   */
  readonly nested?: 'brackets';
  /**
   * Header in which the upstream accepts an idempotency key. The service sends the same key in every attempt, so it may
   * retry the request after a lost response.
   */
  readonly idempotencyHeader?: string;
  /** Parts that the upstream response must have. Without them, the tool call fails. */
  readonly needs?: readonly Need[];
}

/** Part that an upstream response must have. Without it, the tool call fails. */
export interface Need {
  readonly at: string;
  /** Error code of the failed call. Default: `upstream_failed`. */
  readonly code?: 'upstream_failed' | 'not_found';
  /** Error message that states the problem and the remedy. `{name}` is replaced by the value of an input. */
  readonly message?: string;
}

/**
 * Template of the data for the caller, made from the last upstream response. Absent: the data is the response itself.
 */
export interface ResponseBinding {
  /** Template of the data, with values as in a request and references into the response. */
  readonly data?: unknown;
  /** Top-level fields that are removed from the data for the caller. */
  readonly omit?: readonly string[];
  /** Upstream errors that become a normal result of the tool. */
  readonly errors?: readonly ErrorResponse[];
}

/** Upstream error that becomes a normal result: its status, parts of its body, and the data for the caller. */
export interface ErrorResponse {
  readonly status: number;
  readonly body?: Readonly<JsonObject>;
  /** Text that some string in the error body contains, ignoring case. */
  readonly text?: string;
  readonly data: unknown;
}

/**
 * Upstream MCP tool that the tool calls, and the arguments. Values of arguments are templates as in `RequestBinding`.
 */
export interface McpBinding {
  readonly tool: string;
  readonly arguments?: Readonly<JsonObject>;
  /** True if a text block of the MCP result that contains a JSON object counts as the structured result. */
  readonly json?: boolean;
}

/** Upstream request as a tool builds it, before default headers and credentials are added. */
export interface SentRequest {
  /**
   * HTTP method, `MCP` or `DOWNLOAD`.
   * `MCP`: calls an upstream MCP tool. `path` is its name, and `body` contains its `arguments`.
   * `DOWNLOAD`: fetches a file. `path` is its signed link.
   */
  readonly method: string;
  /** Name of one of the connector's hosts. Absent: the connector's base URL. */
  readonly host?: string;
  readonly path: string;
  readonly query?: Readonly<JsonObject>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly encoding?: SentEncoding;
  /** Format of the upstream response body. Absent: JSON. */
  readonly response?: 'text';
  /** The secret itself, not its name. Sent with this request instead of the connected account's credential. */
  readonly credential?: string;
}

/** Returns the request templates of a tool version. Empty for versions with an MCP call or a handler. */
export const requestsOf = ({ request, requests = [] }: ToolVersion): readonly RequestBinding[] =>
  request === undefined ? requests : [request];

/**
 * Example of a tool call: the input, the upstream requests, the upstream's response bodies, and the data for the
 * caller.
 */
export interface Example {
  readonly title: string;
  /** `schema_version` of the tool version that the example calls. Absent: the current version. */
  readonly version?: string;
  readonly input: Readonly<JsonObject>;
  readonly request?: SentRequest;
  /** Body of the upstream response. Null for an empty body. */
  readonly reply?: unknown;
  readonly requests?: readonly SentRequest[];
  readonly replies?: readonly unknown[];
  /** Headers of the last upstream response, with lower-case names. */
  readonly replyHeaders?: Readonly<Record<string, string>>;
  readonly data?: unknown;
}
