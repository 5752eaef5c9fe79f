import { parseJson } from '@svc/catalog';
import type { Idempotency, KeyedRun, ResponseSubject, StoredResponse } from '../applications/idempotency.js';
import { waitUntilStored } from '../concurrency/retry-while-unavailable.js';
import { ERROR_STATUS, type ErrorCode, isFinal, ServiceError } from '../errors.js';
import type { Log } from '../log/log.js';
import type { Bearer } from '../tokens/narrowed-tokens.js';
import type { ApiRequest } from './api-request.js';

interface IdempotencyKeysParts {
  readonly idempotency: Pick<Idempotency, 'begin'>;
  readonly log: Pick<Log, 'fault'>;
  /** Maximum time in milliseconds that a response waits for the database to store its copy. Default: 5000. */
  readonly storeTimeoutMs?: number;
}

/** Request with an Idempotency-Key header. */
export interface KeyedRequest {
  readonly id: string;
  readonly applicationId: string;
  readonly bearer: Bearer | undefined;
  readonly method: string;
  readonly url: string;
  readonly key: string;
  /** Request body, parsed from JSON. */
  readonly body: unknown;
}

/**
 * Stores the response to the first request with an idempotency key before the response is sent. If the response must
 * not be stored, releases the key instead, so that a repeated request runs. Never rejects.
 */
export type FinishRun = (
  response: StoredResponse,
  subjectOf: (body: string) => ResponseSubject,
) => Promise<unknown>;

// Error codes after which the upstream may have done the work. Such a response is stored under its idempotency key, so
// that a repeated request does not call the upstream again.
const MAY_HAVE_HAPPENED: readonly ErrorCode[] = [
  'upstream_failed',
  'upstream_timeout',
  'connection_failed',
  'internal_error',
];
/** Maximum size of a stored response, in MiB. The stored result of an approved call has the same maximum. */
const MAX_STORED_MIB = 1;
const KEY = /^[\x21-\x7e]{1,255}$/;

/** Schema of the Idempotency-Key header, for operations that accept it. */
export const IDEMPOTENCY_HEADERS = {
  type: 'object',
  properties: {
    'idempotency-key': {
      type: 'string',
      description:
        '1 to 255 visible ASCII characters. The same key and request within 24 hours return the first response again.',
      examples: ['5d1f0c2e-6f3b-4a53-9c0e-2b7d8a1e4f60'],
    },
  },
};

export const REPLAYED = 'idempotent-replayed';

/** Validates the value of the Idempotency-Key header and returns it. Throws `invalid_request` if it is invalid. */
export function readIdempotencyKey(key: string | string[] | undefined): string | undefined {
  if (key === undefined || (typeof key === 'string' && KEY.test(key))) return key;
  throw new ServiceError(
    'invalid_request',
    'The header "Idempotency-Key" is invalid. Send it once, with 1 to 255 visible ASCII characters, such as a UUID.',
  );
}

/**
 * Prefixes the idempotency key with the seal (HMAC) of the caller's narrowed token, an access token with limits.
 * Otherwise a caller with another token, or the application itself, could get this token's stored responses by sending
 * the same key.
 */
const keyOfBearer = ({ bearer, key }: Pick<KeyedRequest, 'bearer' | 'key'>): string =>
  bearer?.token === undefined ? key : `${bearer.token.seals.at(-1)} ${key}`;

/**
 * Returns the key under which a call's response is stored: the value of the `Idempotency-Key` header with the prefix of
 * {@link keyOfBearer}. Returns `undefined` if the header is absent. Throws `invalid_request` if it is invalid.
 */
export function idempotencyKeyOf({
  bearer,
  request,
}: Pick<ApiRequest, 'bearer' | 'request'>): string | undefined {
  const key = readIdempotencyKey(request.headers['idempotency-key']);
  return key === undefined ? undefined : keyOfBearer({ bearer, key });
}

/**
 * Returns true if the error's details say that the call, or a part of it, may have run. The details overrule an error
 * code that says otherwise.
 */
const saysFinal = ({ body, errorCode }: StoredResponse): boolean =>
  errorCode !== undefined &&
  isFinal((parseJson(body) as { readonly error: Pick<ServiceError, 'details'> }).error);

const mustStore = (response: StoredResponse): boolean =>
  response.status < 400 ||
  MAY_HAVE_HAPPENED.some((code) => code === response.errorCode) ||
  saysFinal(response);

/**
 * Returns the response that repetitions of a call get: the response to the first call. A response above the maximum
 * size is not stored, so repetitions get an error instead.
 */
function toRepeated(response: StoredResponse, requestId: string): StoredResponse {
  const { body, status } = response;
  if (Buffer.byteLength(body) <= MAX_STORED_MIB * 1024 * 1024) return response;
  const error = {
    code: 'conflict',
    message: `The first call with this "Idempotency-Key" ended with the status ${status}, but its response is larger than the maximum of ${MAX_STORED_MIB} MiB, so the service did not store it. The call does not run again. Read the data with another call, without this key.`,
    details: { status, repeatable: false },
    requestId,
  };
  return { status: ERROR_STATUS.conflict, body: JSON.stringify({ error }), errorCode: 'conflict' };
}

/**
 * Creates the functions that run a call with an Idempotency-Key only once (rule A13 in security-rules.md). Both the
 * Fastify routes and the routes that bypass Fastify use them.
 */
export function createIdempotencyKeys({ idempotency, log, storeTimeoutMs }: IdempotencyKeysParts) {
  const finisherOf =
    (run: KeyedRun, requestId: string): FinishRun =>
    (response, subjectOf) => {
      const stored = mustStore(response)
        ? run.store(toRepeated(response, requestId), subjectOf(response.body))
        : run.release();
      const logged = stored.catch((error: unknown) => {
        log.fault(
          'the response of a call with an Idempotency-Key was not stored, so the caller cannot get it again; check the database',
          error,
          { requestId },
        );
      });
      return waitUntilStored(logged, storeTimeoutMs);
    };

  /**
   * Returns the stored response if the request repeats an earlier one. For the first request with a key, returns the
   * function that stores its response.
   */
  async function beginRun(
    request: KeyedRequest,
  ): Promise<{ readonly stored: StoredResponse } | { readonly finish: FinishRun }> {
    const { applicationId, body, id, method, url } = request;
    const begun = await idempotency.begin({
      applicationId,
      key: keyOfBearer(request),
      request: `${method} ${url}\n${JSON.stringify(body)}`,
    });
    return 'run' in begun ? { finish: finisherOf(begun.run, id) } : { stored: begun.response };
  }

  /**
   * Begins a call with an Idempotency-Key on a route that bypasses Fastify. Returns the stored response if the call
   * repeats an earlier one. Otherwise sets `beforeSend`, which stores the response.
   */
  async function begin(apiRequest: ApiRequest, body: ResponseSubject): Promise<StoredResponse | undefined> {
    const { applicationId, bearer, headers, id, request } = apiRequest;
    const { method = '', url = '' } = request;
    const key = readIdempotencyKey(request.headers['idempotency-key']);
    if (key === undefined) return undefined;
    const begun = await beginRun({ id, applicationId, bearer, method, url, key, body });
    if ('finish' in begun) {
      apiRequest.beforeSend = (response) => {
        // Removes `beforeSend` when the first response is stored. If sending that response fails, an error response
        // follows, which must not be stored.
        apiRequest.beforeSend = undefined;
        return begun.finish(response, () => body);
      };
      return undefined;
    }
    const { errorCode } = begun.stored;
    headers[REPLAYED] = 'true';
    if (errorCode !== undefined) headers['svc-error'] = errorCode;
    apiRequest.errorCode = errorCode;
    return begun.stored;
  }

  return { beginRun, begin };
}

export type IdempotencyKeys = ReturnType<typeof createIdempotencyKeys>;
