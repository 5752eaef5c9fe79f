import { ServiceError } from '../errors.js';
import type { ListedEvent } from '../events/event-list.js';
import type { ResponseBody } from '../http/response-body.js';
import { parseRetryAfter } from '../http/retry-after.js';
import type { Cancellation, HttpRequest, SendHttp } from '../http/send-http.js';
import { isObject, type JsonObject, parseObject } from '../text/json-object.js';
import { RELAY } from './relay-origins.js';

export interface ServiceClientParts {
  readonly send: SendHttp;
  readonly environmentUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signal: Cancellation;
}

/** Page of the event list of a running service. */
export interface EventPage {
  readonly items: readonly ListedEvent[];
  readonly nextPageToken: string;
}

/** Query parameters of a request to `GET /v1/events`. */
export interface EventQuery {
  readonly types?: string | undefined;
  readonly connectionName?: string | undefined;
  readonly after?: string | undefined;
  readonly pageToken?: string | undefined;
  readonly pageSize?: number | undefined;
  /** Maximum seconds that the service waits for a new event before it responds with an empty page. */
  readonly wait: number;
}

interface Reply {
  readonly status: number;
  /** Response body; `undefined` if it is not a JSON object. */
  readonly body: JsonObject | undefined;
  readonly retryAfter: number | undefined;
}

/**
 * Timeout of a request in milliseconds, in addition to the time for which the request asks the service to wait for
 * events.
 */
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 8 * 2 ** 20;

async function readBody(body: ResponseBody): Promise<JsonObject | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  await body.drain((chunk) => {
    length += chunk.length;
    if (length > MAX_BYTES)
      throw new ServiceError(
        'invalid_request',
        'The response from SVC_ENVIRONMENT_URL is larger than 8 MiB, so it does not come from the service. Set SVC_ENVIRONMENT_URL to the URL of the service.',
      );
    chunks.push(chunk);
  });
  return parseObject(Buffer.concat(chunks).toString());
}

/** Returns the error message of a response body, which has either the error format of the API or that of OAuth. */
function messageIn(body: JsonObject = {}): string | undefined {
  const { error, error_description: description } = body;
  const message = isObject(error) ? error['message'] : description;
  return typeof message === 'string' ? message : undefined;
}

/**
 * Returns the page of events in a response body. The events themselves are not validated, because the service is
 * trusted.
 */
function pageIn({ items, nextPageToken }: JsonObject = {}): EventPage | undefined {
  return Array.isArray(items) && typeof nextPageToken === 'string' ? { items, nextPageToken } : undefined;
}

function toSearch(query: EventQuery): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search;
}

/**
 * Creates the client that reads the events of a running service. It gets an access token with the client secret when it
 * needs one.
 */
export function createServiceClient(parts: ServiceClientParts) {
  const { send, environmentUrl, clientId, clientSecret, signal } = parts;
  const { origin, pathname } = new URL(environmentUrl);
  const basePath = pathname.replace(/\/$/, '');
  let accessToken: string | undefined;

  async function request(
    path: string,
    {
      waitMs = 0,
      ...options
    }: Pick<HttpRequest, 'method' | 'headers' | 'body'> & { readonly waitMs?: number },
  ): Promise<Reply> {
    const totalMs = TIMEOUT_MS + waitMs;
    const { status, headers, body } = await send({
      ...RELAY,
      ...options,
      origin,
      path: basePath + path,
      totalMs,
      idleMs: totalMs,
      signal,
    });
    const retryAfter = parseRetryAfter(headers['retry-after'], new Date());
    return { status, body: await readBody(body), retryAfter };
  }

  /**
   * Converts an error response to a `ServiceError`. Its code is `unavailable` if the same request may succeed later.
   */
  function failureOf({ status, body, retryAfter }: Reply): ServiceError {
    const message = messageIn(body);
    if (status === 429 || status >= 500)
      return new ServiceError(
        'unavailable',
        message ?? `${environmentUrl} responded with status ${status}. Retry later.`,
        retryAfter === undefined ? undefined : { retryAfter },
      );
    return new ServiceError(
      'invalid_request',
      message ??
        `The server at ${environmentUrl} is not the agent connector service. Set SVC_ENVIRONMENT_URL to the URL of the service.`,
    );
  }

  async function signIn(): Promise<string> {
    const credentials = [clientId, clientSecret].map(encodeURIComponent).join(':');
    const reply = await request('/oauth/token', {
      method: 'POST',
      headers: [
        ...['authorization', `Basic ${Buffer.from(credentials).toString('base64')}`],
        ...['content-type', 'application/x-www-form-urlencoded'],
      ],
      body: Buffer.from('grant_type=client_credentials'),
    });
    const token = reply.body?.['access_token'];
    if (reply.status === 200 && typeof token === 'string') return token;
    throw failureOf(reply);
  }

  async function get(path: string, waitMs: number): Promise<Reply> {
    accessToken ??= await signIn();
    const headers = ['authorization', `Bearer ${accessToken}`];
    return request(path, { method: 'GET', headers, waitMs });
  }

  /** Reads a page of events. Throws a `ServiceError`; call `isTemporary` to learn whether a retry may succeed. */
  async function listEvents(query: EventQuery): Promise<EventPage> {
    const path = `/v1/events?${toSearch(query)}`;
    let reply = await get(path, query.wait * 1000);
    if (reply.status === 401) {
      // The access token has probably expired, so the request is repeated with a new one. A new token gets no 401
      // unless the client secret was revoked.
      accessToken = undefined;
      reply = await get(path, query.wait * 1000);
    }
    const page = reply.status === 200 ? pageIn(reply.body) : undefined;
    if (page) return page;
    throw failureOf(reply);
  }

  return { listEvents };
}

export type ServiceClient = ReturnType<typeof createServiceClient>;

const TEMPORARY = ['unavailable', 'connection_failed', 'upstream_timeout'];

/** Returns true for an error after which a retry of the same request may succeed. */
export const isTemporary = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && TEMPORARY.includes(error.code);
