import type { Options, RetryOptions } from 'ky';
import type { Call, SendOptions } from './call.js';
import type { ClientOptions, FetchInit } from './config.js';
import { describeFailure, type Thrown } from './describe-failure.js';
import { repeats } from './repeats.js';
import type { TokenSource } from './token.js';

const DEFAULT_TIMEOUT = 120_000;
const DEFAULT_RETRIES = 2;
// They are counted here: ky counts those for a new token, and for the answer of a call that runs, as well.
const NO_LIMIT = 10_000;
const STATUSES = [409, 429, 502, 503, 504];

/** What the attempts of all calls have in common. */
export interface AttemptSettings extends Pick<ClientOptions, 'fetch' | 'timeout' | 'maxRetries'> {
  /** Gives the token; calls go out without one when this is absent. */
  tokens?: TokenSource;
}

/** A call on its way. */
export interface Attempts {
  /** How its attempts are sent, and when another one follows. */
  readonly options: Options;
  /** What its caller gets of what was thrown. */
  readonly explain: (thrown: unknown) => unknown;
}

/** Says how the attempts of a call are sent, and what their failures are. */
export function attempts(call: Call, options: SendOptions, settings: AttemptSettings): Attempts {
  const { method, form_data, isProxied } = call;
  const { idempotencyKey, readOnly, leastTimeout = 0, stream } = options;
  const totalTimeout = options.timeout ?? Math.max(settings.timeout ?? DEFAULT_TIMEOUT, leastTimeout);
  const { tokens } = settings;
  let token: Promise<string> | undefined;
  let isSent = false;
  const explain = (thrown: unknown) =>
    describeFailure(thrown as Thrown, { isProxied, isSent, idempotencyKey });
  const isRepeated = repeats({
    // The service runs one key once; what a key is to an upstream is for the caller to know.
    isSafe: method === 'GET' || readOnly || (!!idempotencyKey && !isProxied),
    maxRetries: options.maxRetries ?? settings.maxRetries ?? DEFAULT_RETRIES,
    end: Date.now() + totalTimeout,
    renew: async () => (await tokens?.(token)) !== (await token),
  });
  const shouldRetry: RetryOptions['shouldRetry'] = async ({ error, retryCount }) => {
    if (!(await isRepeated(explain(error), retryCount))) return false;
    // With an answer ky decides, and waits for as long as its Retry-After says.
    const { response }: Thrown = error;
    return response && response.status !== 401 ? undefined : true;
  };
  const send: Options['fetch'] = async (input) => {
    isSent = true;
    // ky hands over the Request that it has made.
    const request = input as Request;
    token = tokens?.();
    if (token) request.headers.set('authorization', `Bearer ${await untilAborted(token, request)}`);
    const sent = settings.fetch?.(request.url, initOf(request, call)) ?? fetch(request);
    return stream ? (sent as Promise<Response>) : wholeOf((await sent) as Response);
  };
  const retry = {
    // What is sent as it is goes out once: it would have to be kept for a repeat, however large it is.
    limit: form_data ? 0 : NO_LIMIT,
    methods: [method],
    jitter: true,
    statusCodes: STATUSES,
    afterStatusCodes: STATUSES,
    shouldRetry,
  };
  return { explain, options: { timeout: false, totalTimeout, retry, fetch: send } };
}

/** Tokens are shared, and so do not end with the call that waits for one. */
const untilAborted = (token: Promise<string>, { signal }: Request): Promise<string> =>
  Promise.race([
    token,
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  ]);

/** Reads the body, so that an answer which breaks off is asked for again like one that never began. */
async function wholeOf(response: Response): Promise<Response> {
  // A page is not shown where it was sent to.
  if (!response.status) return response;
  const body = await response.arrayBuffer();
  return new Response(body.byteLength ? body : null, response);
}

function initOf({ method, headers, signal, body }: Request, { body: json, form_data }: Call): FetchInit {
  const { size, byteLength } = (form_data ?? {}) as Partial<Blob & ArrayBuffer>;
  // What has a size goes on as it was given: a Request has it as a stream, which browsers send over HTTP/2 alone, or not at all.
  const whole = size || byteLength ? (form_data as FetchInit['body']) : body;
  return {
    method,
    headers,
    signal,
    redirect: 'manual',
    duplex: 'half',
    body: json === undefined ? whole : JSON.stringify(json),
  };
}
