import { loadKy } from '#load-ky';
import type { Call, SendOptions, ServiceResponse } from './call.js';
import { describeFailure } from './describe-failure.js';
import { AccountNotAuthorizedError, assert, ServiceError } from './errors.js';
import { UNSAFE_PATH } from './path.js';
import { refuseUnknownNames } from './refuse-unknown-names.js';
import type { AuthorizationLink } from './resources.js';
import { retryPolicy } from './retry-policy.js';
import { requestOptions, type SenderSettings, sendOnce } from './send-once.js';
import { callToken, TokenError } from './token.js';

const CALL_OPTIONS = [
  ...['signal', 'timeout', 'idempotencyKey', 'readOnly', 'maxRetries', 'headers', 'stream'],
  // Options of tool calls, which have an effect before the call is sent.
  ...['dryRun', 'schemaVersion', 'toolVersion'],
];
/** Fields of the context that TanStack Query passes to a mutation function. The client accepts and ignores them. */
const IGNORED = ['client', 'meta', 'mutationKey'];
/** Default timeout of a whole call in milliseconds. */
const DEFAULT_TIMEOUT = 120_000;
const DEFAULT_MAX_RETRIES = 2;

/** Function that sends one call to the service and returns its response. */
export type Send = (call: Call, options?: SendOptions) => Promise<ServiceResponse>;

/**
 * Creates the function that sends calls to the service. The function throws a `ServiceError`, the reason of an aborted
 * signal, or the error of the application's own `accessToken` function.
 */
export function sender(readSettings: () => SenderSettings): Send {
  async function send(call: Call, options: SendOptions = {}): Promise<ServiceResponse> {
    refuseUnknownNames('A call', options, CALL_OPTIONS, IGNORED);
    assert(
      call.method && call.path && !UNSAFE_PATH.test(call.path),
      'invalid_request',
      `${call.method} ${call.path} is not valid. Pass names that are not empty, and no "..", "\\" or "#".`,
    );
    const settings = readSettings();
    const timeout = options.timeout ?? settings.timeout ?? DEFAULT_TIMEOUT;
    const maxRetries = options.maxRetries ?? settings.maxRetries ?? DEFAULT_MAX_RETRIES;
    const deadline = Date.now() + timeout;
    const token = callToken(settings.tokens);
    const response = Promise.withResolvers<ServiceResponse>();
    let isSent = false;
    try {
      const ky = await loadKy();
      await ky(call.path, {
        ...requestOptions(settings, call, options),
        timeout: false,
        totalTimeout: timeout,
        hooks: { beforeRequest: [token.attach], beforeRetry: [token.attach] },
        retry: retryPolicy(call, options, { maxRetries, deadline, renewToken: token.renew }),
        // Reads the response body inside the attempt, so that ky's retries and timeout cover the reading. ky needs only
        // an empty response.
        fetch: async (request) => {
          isSent = true;
          response.resolve(await sendOnce(request as Request, { settings, call, options }));
          return new Response();
        },
      });
      return await response.promise;
    } catch (error) {
      options.signal?.throwIfAborted?.();
      if (error instanceof TokenError) throw error.cause;
      if (error instanceof AccountNotAuthorizedError) {
        const linkCall = { method: 'POST', path: error.authorizationLinkPath };
        error.getLink = async (given) => (await send(linkCall, given)).data as AuthorizationLink;
      }
      if (error instanceof ServiceError) throw error;
      throw describeFailure(error, { ...settings, isSent, idempotencyKey: options.idempotencyKey });
    }
  }

  return send;
}
