import type { PlatformAbortSignal } from './platform.js';

/** What every operation takes as its last argument. */
export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  signal?: PlatformAbortSignal | undefined;
  /** Milliseconds for the whole call, retries and waits included. Default: the client's `timeout`. */
  timeout?: number | undefined;
  /**
   * Makes repeating the call safe: the service runs one key once and answers the same again for 24 hours. Through the proxy it
   * goes on to the upstream, and repeats nothing. Default: none; a method of a connector package that changes something has one
   * of its own, and none with an empty text.
   */
  idempotencyKey?: string | undefined;
  /** The call changes nothing, so that it is repeated like a GET. Connector packages know it of their tools. */
  readOnly?: boolean | undefined;
  /** How often the call is repeated at most. Default: the client's `maxRetries`. */
  maxRetries?: number | undefined;
  /** More headers for this call. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Call options of a tool: which of its versions runs. Default: the version that the package was made from. */
export interface ToolOptions<SchemaVersion extends string = string, ToolVersion extends string = string>
  extends CallOptions {
  /** The contract: input and output. */
  schemaVersion?: SchemaVersion | undefined;
  /** The implementation of the contract. */
  toolVersion?: ToolVersion | undefined;
}

/** Tells what a call would send, and changes nothing. */
export interface DryRunOption<IsDry extends boolean = boolean> {
  /** The call is checked and planned, and not made. Default: false. */
  dryRun?: IsDry | undefined;
}

/** A request as a call would send it to the upstream, without its credentials. */
export interface PlannedRequest {
  method: string;
  host: string;
  path: string;
  query?: Record<string, string | number | boolean | (string | number | boolean)[]>;
  headers?: Record<string, string>;
  /** The JSON; for an MCP server the method and its parameters. */
  body?: unknown;
  /** It reads, and was sent now, because what follows depends on its answer. */
  isSent: boolean;
}

/** What a tool answers to a dry run. */
export interface DryRunResult {
  dryRun: {
    /** What would be sent, in this order, as far as that can be known. */
    requests: PlannedRequest[];
    /** Whether those are all. */
    isComplete: boolean;
    /** What is not known, and why: a sentence each. */
    unknown: string[];
    /** The error that the call would end with before anything is sent, such as that the account is not authorized. */
    refusal?: { code: string; message: string; details?: Record<string, unknown> };
  };
  schemaVersion: string;
  toolVersion: string;
  /** The service's id of the request, for a look into its log. */
  requestId: string;
}

/** What a tool answers. */
export interface ToolResult<Data> {
  /** The tool's result. */
  data: Data;
  /** What the input for the next page has in place of this one's; absent after the last page, and where there are none. */
  nextInput?: Record<string, unknown>;
  /** The contract that ran. */
  schemaVersion: string;
  /** The implementation that ran. */
  toolVersion: string;
  /** Names this run in the list of executions. */
  executionId: string;
  /** The service's id of the request, for a look into its log. */
  requestId: string;
}

/** What comes back from a call, or from its dry run. */
export type Ran<Output, IsDry extends boolean> = IsDry extends true ? DryRunResult : ToolResult<Output>;

/** One tool as a function. */
export type Tool<
  Input,
  Output,
  SchemaVersion extends string = string,
  ToolVersion extends string = string,
> = <IsDry extends boolean = false>(
  input: Input,
  options?: ToolOptions<SchemaVersion, ToolVersion> & DryRunOption<IsDry>,
) => Promise<Ran<Output, IsDry>>;

/** How many items an iteration gives. */
export interface Limit {
  /** At most so many; no page is fetched for more. Default: all. */
  limit?: number | undefined;
}

/** A tool that answers in pages. */
export interface PagedTool<
  Input,
  Output,
  Item,
  SchemaVersion extends string = string,
  ToolVersion extends string = string,
> extends Tool<Input, Output, SchemaVersion, ToolVersion> {
  /** Iterates over the items of every page, or over the first `limit` of them; a page is fetched when its first item is asked for. */
  each(input: Input, options?: ToolOptions<SchemaVersion, ToolVersion> & Limit): AsyncIterable<Item>;
  /** Iterates over the pages, each with what the tool answers beside the items. */
  pages(input: Input, options?: ToolOptions<SchemaVersion, ToolVersion>): AsyncIterable<ToolResult<Output>>;
}

/**
 * The tools that are known by name. Every connector package adds its own:
 * `declare module '@svc/core' { interface Tools { calendar_create_event: { input: …; output: … } } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: connector packages fill it by declaration merging.
export interface Tools {}
