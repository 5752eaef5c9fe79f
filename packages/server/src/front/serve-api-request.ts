import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Origins } from '../applications/origins.js';
import type { SignIn } from '../applications/sign-in.js';
import type { Callers } from '../caller.js';
import { asServiceError, ServiceError } from '../errors.js';
import { checkHead } from '../listener/check-head.js';
import { createErrorResponse, type ErrorResponseOptions } from '../listener/error-reply.js';
import type { RecordFailedRequest } from '../listener/failed-request.js';
import type { Bearer } from '../tokens/narrowed-tokens.js';
import { isNarrowedToken } from '../tokens/token-chain.js';
import { actorOf } from '../tokens/token-uses.js';
import { allowOrigin } from './allow-origin.js';
import { type ApiRequest, type NewApiRequest, openApiRequest } from './api-request.js';
import { readBearer } from './bearer.js';
import type { LimitCalls } from './limit-calls.js';

export interface ServeOptions extends ErrorResponseOptions {
  readonly callers: Callers;
  readonly signIn: Pick<SignIn, 'cached' | 'authenticate'>;
  readonly origins: Pick<Origins, 'isKnown' | 'check'>;
  readonly limitBearer: LimitCalls<Bearer>;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly newRequestId: () => string;
  /** Stores a record of each request to which the service responds with an error. */
  readonly recordFailure: RecordFailedRequest;
}

/**
 * Handles an authenticated API request on a route. If it throws an error, the caller gets this error as the response.
 */
export type Work = (apiRequest: ApiRequest) => Promise<void>;

/** Route that serves authenticated API requests of applications. */
export interface Served {
  readonly work: Work;
  /** Records a request that the rate limit of its user or application refused before `work` began. */
  readonly refused: (apiRequest: ApiRequest, error: unknown) => void;
}

/**
 * Returns the WWW-Authenticate header's value for the response to a request without a valid access token (RFC 6750).
 */
export type Challenge = (request: IncomingMessage) => string;

/** Handles a request of the Node.js server. */
export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

const BEARER: Challenge = () => 'Bearer';

/** Header and advice in the response to a request without a valid token. */
interface Unauthorized {
  readonly challenge?: Challenge;
  /** Sentence for the error that says which tokens the route accepts. Default: the tokens of the API. */
  readonly advice?: string;
}

/** Caller that Fastify has authenticated, such as an operator. */
interface IdentifiedCaller {
  readonly requestId: string;
  readonly applicationId: string;
  /** Headers that every response of the route contains. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Handles a request whose caller Fastify has authenticated. */
export type ServeIdentified = (
  request: IncomingMessage,
  response: ServerResponse,
  caller: IdentifiedCaller,
) => void;

interface Refusing {
  readonly route: string;
  readonly challenge: Challenge;
}

/**
 * Creates the function that makes handlers for API requests of applications on routes that bypass Fastify. A handler
 * makes the same checks as a Fastify route, but faster.
 */
export function createServe(options: ServeOptions) {
  const { addressOf, callers, headers, limitBearer, log, newRequestId, origins, recordFailure, signIn } =
    options;
  const errorResponse = createErrorResponse({ log, headers });

  async function identify({ request }: ApiRequest, advice: string | undefined): Promise<Bearer> {
    const accessToken = readBearer(request.headers.authorization, advice);
    const cached = signIn.cached(accessToken);
    if (cached) return cached;
    try {
      return await signIn.authenticate(accessToken, addressOf(request));
    } catch (error) {
      const isOther = asServiceError(error).code !== 'unauthorized' || isNarrowedToken(accessToken);
      if (advice === undefined || isOther) throw error;
      throw new ServiceError('unauthorized', `The token is invalid or has expired. ${advice}`);
    }
  }

  async function refuse(
    apiRequest: ApiRequest,
    thrown: unknown,
    { route, challenge }: Refusing,
  ): Promise<void> {
    const { applicationId, bearer, id, request, response, headers } = apiRequest;
    const error = asServiceError(thrown);
    if (error.status === 401) headers['www-authenticate'] = challenge(request);
    const reply = errorResponse(error, { requestId: id, route });
    apiRequest.errorCode = error.code;
    const actor = bearer ? actorOf(bearer) : applicationId || 'user';
    const operation = `${request.method} ${route}`;
    recordFailure({ requestId: id, applicationId, actor, operation, errorCode: error.code, error });
    // Closes the connection if the response has begun, because it can no longer become an error response.
    if (response.headersSent) return void response.destroy();
    await apiRequest.beforeSend?.({ status: reply.status, body: reply.body, errorCode: error.code });
    const length = { 'content-length': Buffer.byteLength(reply.body) };
    response.writeHead(reply.status, { ...headers, ...reply.headers, ...length });
    response.end(request.method === 'HEAD' ? undefined : reply.body);
  }

  async function run(
    apiRequest: ApiRequest,
    { work, refused }: Served,
    advice: string | undefined,
  ): Promise<void> {
    const { id: requestId, request } = apiRequest;
    checkHead(request);
    const { origin } = request.headers;
    if (origin !== undefined) await allowOrigin(origins, origin, apiRequest.headers);
    const bearer = await identify(apiRequest, advice);
    apiRequest.bearer = bearer;
    const { applicationId } = bearer;
    apiRequest.applicationId = applicationId;
    try {
      limitBearer(request, apiRequest.headers, bearer);
    } catch (error) {
      refused(apiRequest, error);
      throw error;
    }
    if (origin !== undefined) await origins.check(bearer, origin);
    const actor = actorOf(bearer);
    const caller = () => ({ actor, applicationId, requestId, address: addressOf(request) });
    await callers.run(caller, () => work(apiRequest));
  }

  /** Begins an API request, which is logged when it ends. */
  function open(given: NewApiRequest, route: string): ApiRequest {
    const begunAt = performance.now();
    const apiRequest = openApiRequest(given);
    apiRequest.onClose(() => {
      log.request({
        requestId: apiRequest.id,
        traceId: apiRequest.traceId,
        applicationId: apiRequest.applicationId,
        method: apiRequest.request.method ?? '',
        route,
        status: apiRequest.response.statusCode,
        durationMs: Math.round(performance.now() - begunAt),
        errorCode: apiRequest.errorCode,
      });
    });
    return apiRequest;
  }

  function serve(route: string, served: Served, { challenge = BEARER, advice }: Unauthorized = {}): Serve {
    return (request, response) => {
      const apiRequest = open({ id: newRequestId(), request, response, headers }, route);
      run(apiRequest, served, advice).catch((error: unknown) =>
        refuse(apiRequest, error, { route, challenge }),
      );
    };
  }

  function serveIdentified(route: string, work: Work): ServeIdentified {
    return (request, response, { requestId, applicationId, headers }) => {
      const apiRequest = open({ id: requestId, request, response, headers }, route);
      apiRequest.applicationId = applicationId;
      work(apiRequest).catch((error: unknown) => refuse(apiRequest, error, { route, challenge: BEARER }));
    };
  }

  return { serve, serveIdentified };
}
