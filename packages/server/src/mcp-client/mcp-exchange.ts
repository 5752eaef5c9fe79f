import { AsyncLocalStorage } from 'node:async_hooks';
import type { MemoryShare } from '../concurrency/body-memory.js';
import { callerDisconnected, RETRY_ADVICE, ServiceError } from '../errors.js';
import type { Cancellation } from '../http/send-http.js';
import type { Trace } from '../upstream/trace.js';

/**
 * State of one operation at an MCP server, such as one tool call. One operation can need several HTTP requests, such as
 * a redirect or a resumed event stream. All of them share this state.
 */
export interface McpExchange {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onStatus: (status: number) => void;
  readonly trace: Trace | undefined;
  /** Aborts the MCP operation and its HTTP requests. The operation rejects with this error. */
  readonly fail: (error: unknown) => void;
  readonly awaited: AwaitedResponse;
  /**
   * Counts the response bytes of the MCP operation. Throws upstream_failed above `mostBytes`, and unavailable if the
   * memory budget is used up.
   */
  readonly countBytes: (bytes: number) => void;
}

/**
 * JSON-RPC response that an MCP operation waits for. The response may arrive on another event stream than that of its
 * request.
 */
interface AwaitedResponse {
  requestId: number | string | undefined;
  /** Number of times that the event stream of this JSON-RPC response was resumed. A limit stops endless resumptions. */
  resumptions: number;
}

export interface McpExchangeOptions {
  readonly timeoutMs: number;
  /** Abort signal of the caller. The MCP operation is aborted if the caller disconnects. */
  readonly signal?: Cancellation | undefined;
  readonly onStatus: (status: number) => void;
  readonly trace?: Trace | undefined;
  readonly holding: Pick<MemoryShare, 'take'>;
  /** Maximum total bytes of all HTTP responses in one MCP operation, such as one tool call. Default: 10 MiB. */
  readonly mostBytes?: number | undefined;
}

const MIB = 1024 * 1024;

// Milliseconds that the MCP server has to close its event stream after the JSON-RPC response. Aborting a request
// earlier would close its TCP connection, which other requests could reuse.
const GRACE_MS = 250;

// State of the current MCP operation, such as a tool call, kept in async-local storage. The MCP library does not tell
// `mcpFetch` to which operation an HTTP request belongs.
const exchanges = new AsyncLocalStorage<McpExchange>();

export const currentExchange = (): McpExchange | undefined => exchanges.getStore();

const tooLate = (timeoutMs: number) =>
  new ServiceError(
    'upstream_timeout',
    `The MCP server did not respond within ${timeoutMs / 1000} s. ${RETRY_ADVICE}`,
  );

const tooLarge = (mostBytes: number): ServiceError =>
  new ServiceError(
    'upstream_failed',
    `The response of the MCP server is larger than the maximum of ${mostBytes / MIB} MiB. Request less data.`,
    { status: 200 },
  );

function createByteCounter({ holding, mostBytes = 10 * MIB }: McpExchangeOptions) {
  let total = 0;
  return function countBytes(bytes: number): void {
    total += bytes;
    if (total > mostBytes) throw tooLarge(mostBytes);
    holding.take(bytes);
  };
}

/**
 * Runs `work` as one MCP operation. Its HTTP requests are aborted after `work` ends, after the timeout, or if the
 * caller disconnects.
 */
export async function runExchange<Result>(
  options: McpExchangeOptions,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { timeoutMs, signal, onStatus, trace } = options;
  const controller = new AbortController();
  const fail = (error: unknown) => controller.abort(error);
  const cancel = () => fail(callerDisconnected());
  if (signal?.aborted) throw callerDisconnected();
  signal?.addEventListener('abort', cancel, { once: true });
  const timer = setTimeout(() => fail(tooLate(timeoutMs)), timeoutMs);
  const awaited: AwaitedResponse = { requestId: undefined, resumptions: 0 };
  const countBytes = createByteCounter(options);
  const exchange = { signal: controller.signal, timeoutMs, onStatus, trace, fail, awaited, countBytes };
  try {
    const result = await exchanges.run(exchange, () => work(controller.signal));
    setTimeout(() => controller.abort(), GRACE_MS).unref();
    return result;
  } catch (error) {
    const reason: unknown = controller.signal.aborted ? controller.signal.reason : error;
    controller.abort();
    throw reason;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}
