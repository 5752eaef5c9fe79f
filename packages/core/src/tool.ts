import type { PlatformAbortSignal } from './platform.js';

/** Options of one call, which every operation of the client takes as its last argument. */
export interface CallOptions {
  /** Signal that aborts the call. The call then rejects with the signal's reason. */
  signal?: PlatformAbortSignal | undefined;
  /** Timeout of the whole call in milliseconds, including retries and waits. Default: the client's `timeout`. */
  timeout?: number | undefined;
  /**
   * Key that makes it safe to repeat a call that creates, runs, revokes or resends something: the service runs each key once, and returns
   * that response for 24 hours. Other operations ignore the key; with `call`, pass it only to operations that accept
   * it. The proxy passes the key to the upstream, and the call is not retried. 1 to 255 visible ASCII characters.
   * Default: none. Methods of connector packages that change something generate a key; an empty string turns that off.
   */
  idempotencyKey?: string | undefined;
  /**
   * True if the call changes nothing, so that the client retries it like a GET. Connector packages set this option for
   * their tools.
   */
  readOnly?: boolean | undefined;
  /** Maximum number of retries of the call, if it is safe to repeat. Default: the client's `maxRetries`. */
  maxRetries?: number | undefined;
  /** Additional headers of the call, which replace equal headers of the client. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Options of a tool call, with the version of the tool to run. Default: the version that the connector package was
 * generated from.
 */
export interface ToolOptions<SchemaVersion extends string = string, ToolVersion extends string = string>
  extends CallOptions {
  /** Schema version: the version of the tool's input and output. */
  schemaVersion?: SchemaVersion | undefined;
  /** Tool version: the version of the tool's implementation. */
  toolVersion?: ToolVersion | undefined;
  /** `true` reports what the call would send, and changes nothing. Default: false. */
  dryRun?: false | undefined;
  /**
   * Ignored. TanStack Query passes its context, which has this field, as the second argument of a mutation function.
   */
  meta?: unknown;
}

/** Options of a dry run, which validates and plans a call without making it. */
export interface DryRunOptions<SchemaVersion extends string = string, ToolVersion extends string = string>
  extends Omit<ToolOptions<SchemaVersion, ToolVersion>, 'dryRun'> {
  dryRun: true;
}

/** Request that a call would send to the upstream, without credentials. */
export interface PlannedRequest {
  method: string;
  host: string;
  path: string;
  query?: Record<string, string | number | boolean | (string | number | boolean)[]>;
  headers?: Record<string, string>;
  /** JSON body of the planned request. For an MCP server, the method and its parameters. */
  body?: unknown;
  /**
   * True if the dry run has sent the request, because later requests depend on its response. Dry runs send only reads.
   */
  isSent: boolean;
}

/** Result of a dry run. */
export interface DryRunResult {
  dryRun: {
    /** Requests that the call would send, in order, as far as they are known. */
    requests: PlannedRequest[];
    /** True if `requests` contains all requests that the call would send. */
    isComplete: boolean;
    /** Sentences about the parts of the call that are unknown before it runs, each with the reason. */
    unknown: string[];
    /** Error with which the call would fail before it sends anything, such as an account that is not authorized. */
    refusal?: { code: string; message: string; details?: Record<string, unknown> };
  };
  schemaVersion: string;
  toolVersion: string;
  /** Id that the service gave the request. The service's log contains it too. */
  requestId: string;
}

/** Result of a tool call. */
export interface ToolResult<Data> {
  /** Data that the tool returned. */
  data: Data;
  /**
   * Fields that replace fields of the input to get the next page. Absent on the last page, and for tools without pages.
   */
  nextInput?: Record<string, unknown>;
  /** Schema version of the tool that the service ran. */
  schemaVersion: string;
  /** Tool version that the service ran. */
  toolVersion: string;
  /** Id of the tool call's execution, for `executions.get`. */
  executionId: string;
  /** Id that the service gave the request. The service's log contains it too. */
  requestId: string;
}

/** Tool as a function. `ReturnType` and `Parameters` take the last overload, the call that runs the tool. */
export interface Tool<
  Input,
  Output,
  SchemaVersion extends string = string,
  ToolVersion extends string = string,
> {
  /** Resolves to the requests that the call would send, and changes nothing. */
  (input: Input, options: DryRunOptions<SchemaVersion, ToolVersion>): Promise<DryRunResult>;
  (input: Input, options?: ToolOptions<SchemaVersion, ToolVersion>): Promise<ToolResult<Output>>;
}

/** Limit of an iteration over the items of a paged tool or list. */
export interface Limit {
  /** Maximum number of items to return. Pages beyond them are not fetched. Default: all items. */
  limit?: number | undefined;
}

/** Tool whose result is divided into pages. */
export interface PagedTool<
  Input,
  Output,
  Item,
  SchemaVersion extends string = string,
  ToolVersion extends string = string,
> extends Tool<Input, Output, SchemaVersion, ToolVersion> {
  /**
   * Iterates over the items of all pages, or over the first `limit` items. Each page is fetched when its first item is
   * requested.
   */
  each(input: Input, options?: ToolOptions<SchemaVersion, ToolVersion> & Limit): AsyncIterable<Item>;
  /** Iterates over the pages of the tool's result. Each page is a complete result of the tool. */
  pages(input: Input, options?: ToolOptions<SchemaVersion, ToolVersion>): AsyncIterable<ToolResult<Output>>;
}

/**
 * Types of tools by name. Every connector package adds its own:
 * `declare module '@svc/core' { interface Tools { calendar_create_event: { input: …; output: … } } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: connector packages fill it by declaration merging.
export interface Tools {}

/**
 * Types of the payloads of upstream webhooks by the type of their event. Every connector package adds its own:
 * `declare module '@svc/core' { interface WebhookPayloads { 'convintel.conversation_played': … } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: connector packages fill it by declaration merging.
export interface WebhookPayloads {}
