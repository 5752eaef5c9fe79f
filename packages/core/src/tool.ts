import type { PlatformAbortSignal } from './platform.js';

/** Options of every operation, as its last argument. */
export interface CallOptions {
  /** Aborts the call, which rejects with the signal's reason. */
  signal?: PlatformAbortSignal | undefined;
  /** Milliseconds for the whole call, including retries and waits. Default: the client's `timeout`. */
  timeout?: number | undefined;
  /**
   * Makes it safe to repeat the call: the service runs one key once, and gives the same response for 24 hours. The proxy passes
   * the key to the upstream, and the call is not retried. Default: none. A method of a connector package that changes
   * something generates a key; an empty string turns that off.
   */
  idempotencyKey?: string | undefined;
  /** The call changes nothing, so that it is retried like a GET. Connector packages set it for their tools. */
  readOnly?: boolean | undefined;
  /** The most retries of the call. Default: the client's `maxRetries`. */
  maxRetries?: number | undefined;
  /** More headers for this call. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Call options of a tool, with the version to run. Default: the version that the package was generated from. */
export interface ToolOptions<SchemaVersion extends string = string, ToolVersion extends string = string>
  extends CallOptions {
  /** The contract: input and output. */
  schemaVersion?: SchemaVersion | undefined;
  /** The implementation of the contract. */
  toolVersion?: ToolVersion | undefined;
  /** `true` reports what the call would send, and changes nothing. Default: false. */
  dryRun?: false | undefined;
  /** Ignored. TanStack Query passes its context, which has this field, as the second argument of a mutation function. */
  meta?: unknown;
}

/** Options of a dry run, which validates and plans a call without making it. */
export interface DryRunOptions<SchemaVersion extends string = string, ToolVersion extends string = string>
  extends Omit<ToolOptions<SchemaVersion, ToolVersion>, 'dryRun'> {
  dryRun: true;
}

/** A request that a call would send to the upstream, without credentials. */
export interface PlannedRequest {
  method: string;
  host: string;
  path: string;
  query?: Record<string, string | number | boolean | (string | number | boolean)[]>;
  headers?: Record<string, string>;
  /** JSON. For an MCP server, the method and its parameters. */
  body?: unknown;
  /** True for a read that the dry run has sent, because later requests depend on its response. */
  isSent: boolean;
}

/** The result of a dry run. */
export interface DryRunResult {
  dryRun: {
    /** The requests in their order, as far as they are known. */
    requests: PlannedRequest[];
    /** True if `requests` contains all requests. */
    isComplete: boolean;
    /** One sentence for each unknown part, with the reason. */
    unknown: string[];
    /** The error with which the call would fail before it sends anything, such as an account that is not authorized. */
    refusal?: { code: string; message: string; details?: Record<string, unknown> };
  };
  schemaVersion: string;
  toolVersion: string;
  /** The service's id of the request, which its log has too. */
  requestId: string;
}

/** The result of a tool. */
export interface ToolResult<Data> {
  /** The tool's output. */
  data: Data;
  /** Replaces fields of the input to get the next page. Absent on the last page, and for tools without pages. */
  nextInput?: Record<string, unknown>;
  /** The contract that ran. */
  schemaVersion: string;
  /** The implementation that ran. */
  toolVersion: string;
  /** The id of this run in the list of executions. */
  executionId: string;
  /** The service's id of the request, which its log has too. */
  requestId: string;
}

/** One tool as a function. `ReturnType` and `Parameters` take the last overload, the call that runs the tool. */
export interface Tool<
  Input,
  Output,
  SchemaVersion extends string = string,
  ToolVersion extends string = string,
> {
  (input: Input, options: DryRunOptions<SchemaVersion, ToolVersion>): Promise<DryRunResult>;
  (input: Input, options?: ToolOptions<SchemaVersion, ToolVersion>): Promise<ToolResult<Output>>;
}

/** Bounds an iteration. */
export interface Limit {
  /** The most items. No page beyond them is fetched. Default: all. */
  limit?: number | undefined;
}

/** A tool whose result has pages. */
export interface PagedTool<
  Input,
  Output,
  Item,
  SchemaVersion extends string = string,
  ToolVersion extends string = string,
> extends Tool<Input, Output, SchemaVersion, ToolVersion> {
  /** Iterates over the items of all pages, or over the first `limit` items. Fetches a page when its first item is requested. */
  each(input: Input, options?: ToolOptions<SchemaVersion, ToolVersion> & Limit): AsyncIterable<Item>;
  /** Iterates over the pages, each a whole result of the tool. */
  pages(input: Input, options?: ToolOptions<SchemaVersion, ToolVersion>): AsyncIterable<ToolResult<Output>>;
}

/**
 * The types of tools by name. Every connector package adds its own:
 * `declare module '@svc/core' { interface Tools { calendar_create_event: { input: …; output: … } } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: connector packages fill it by declaration merging.
export interface Tools {}
