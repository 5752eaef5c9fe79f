import { AsyncLocalStorage } from 'node:async_hooks';
import { ServiceError } from '../errors.js';

/** What holds for every HTTP request of one exchange with an MCP server. */
export interface McpExchange {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onStatus: (status: number) => void;
  /** Ends the exchange with this error. */
  readonly fail: (error: unknown) => void;
  readonly awaited: Awaited;
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
  readonly signal?: AbortSignal | undefined;
  readonly onStatus: (status: number) => void;
}

// A server may close its stream just after the result; closing it from this side would cost the connection.
const GRACE_MS = 250;

// The MCP library calls its fetch without saying for which of its requests; this says it.
const exchanges = new AsyncLocalStorage<McpExchange>();

export const currentExchange = (): McpExchange | undefined => exchanges.getStore();

const callerGone = () =>
  new ServiceError('connection_failed', 'The caller went away before the answer was complete.', {
    reason: 'aborted',
  });

const tooLate = (timeoutMs: number) =>
  new ServiceError('upstream_timeout', `The MCP server did not answer within ${timeoutMs / 1000} s.`);

/** Runs `work`, whose HTTP requests end with it: when it is done, takes too long, or nobody waits for it any more. */
export async function runExchange<Result>(
  { timeoutMs, signal, onStatus }: McpExchangeOptions,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const fail = (error: unknown) => controller.abort(error);
  const leave = () => fail(callerGone());
  if (signal?.aborted) throw callerGone();
  signal?.addEventListener('abort', leave, { once: true });
  const timer = setTimeout(() => fail(tooLate(timeoutMs)), timeoutMs);
  const awaited: Awaited = { requestId: undefined, resumptions: 0 };
  const exchange = { signal: controller.signal, timeoutMs, onStatus, fail, awaited };
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
