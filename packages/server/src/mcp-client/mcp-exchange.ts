import { AsyncLocalStorage } from 'node:async_hooks';
import { ServiceError } from '../errors.js';
import { callerGone } from '../http/caller-gone.js';
import type { Cancellation } from '../http/send-http.js';
import type { MemoryShare } from '../listener/answer-memory.js';
import type { Trace } from '../upstream/trace.js';

/** What holds for every HTTP request of one exchange with an MCP server. */
export interface McpExchange {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onStatus: (status: number) => void;
  readonly trace: Trace | undefined;
  /** Ends the exchange with this error. */
  readonly fail: (error: unknown) => void;
  readonly awaited: Awaited;
  /** Counts what is read; throws when it is more than an answer may have, or than there is room for. */
  readonly take: (bytes: number) => void;
}

/** The answer that an exchange waits for, which may come by another stream than its request's. */
interface Awaited {
  requestId: number | string | undefined;
  /** How often its stream was resumed. */
  resumptions: number;
}

export interface McpExchangeOptions {
  readonly timeoutMs: number;
  /** Aborted when the caller goes away. */
  readonly signal?: Cancellation | undefined;
  readonly onStatus: (status: number) => void;
  readonly trace?: Trace | undefined;
  readonly holding: Pick<MemoryShare, 'take'>;
  /** Of all answers of the exchange together; 10 MiB when absent. */
  readonly mostBytes?: number | undefined;
}

const MIB = 1024 * 1024;

// A server may close its stream just after the result; closing it from this side would cost the connection.
const GRACE_MS = 250;

// The MCP library calls its fetch without saying for which of its requests; this says it.
const exchanges = new AsyncLocalStorage<McpExchange>();

export const currentExchange = (): McpExchange | undefined => exchanges.getStore();

const tooLate = (timeoutMs: number) =>
  new ServiceError('upstream_timeout', `The MCP server did not answer within ${timeoutMs / 1000} s.`);

const tooLarge = (mostBytes: number): ServiceError =>
  new ServiceError(
    'upstream_failed',
    `The answer of the MCP server is larger than ${mostBytes / MIB} MiB. Ask for less.`,
    { status: 200 },
  );

function createTake({ holding, mostBytes = 10 * MIB }: McpExchangeOptions): McpExchange['take'] {
  let taken = 0;
  return (bytes) => {
    taken += bytes;
    if (taken > mostBytes) throw tooLarge(mostBytes);
    holding.take(bytes);
  };
}

/** Runs `work`, whose HTTP requests end with it: when it is done, takes too long, or nobody waits for it any more. */
export async function runExchange<Result>(
  options: McpExchangeOptions,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { timeoutMs, signal, onStatus, trace } = options;
  const controller = new AbortController();
  const fail = (error: unknown) => controller.abort(error);
  const leave = () => fail(callerGone());
  if (signal?.aborted) throw callerGone();
  signal?.addEventListener('abort', leave, { once: true });
  const timer = setTimeout(() => fail(tooLate(timeoutMs)), timeoutMs);
  const awaited: Awaited = { requestId: undefined, resumptions: 0 };
  const take = createTake(options);
  const exchange = { signal: controller.signal, timeoutMs, onStatus, trace, fail, awaited, take };
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
    signal?.removeEventListener('abort', leave);
  }
}
