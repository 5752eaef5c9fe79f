import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Origins } from '../applications/origins.js';
import type { SignIn } from '../applications/sign-in.js';
import type { Callers } from '../caller.js';
import { asServiceError } from '../errors.js';
import { checkHead } from '../listener/check-head.js';
import { createErrorResponse, type ErrorResponseOptions } from '../listener/error-reply.js';
import type { RecordFailedRequest } from '../listener/failed-request.js';
import type { Bearer } from '../tokens/narrowed-tokens.js';
import { actorOf } from '../tokens/token-uses.js';
import { allowOrigin } from './allow-origin.js';
import { readBearer } from './bearer.js';
import { type Call, type NewCall, openCall } from './call.js';
import type { LimitCalls } from './limit-calls.js';

export interface ServeOptions extends ErrorResponseOptions {
  readonly callers: Callers;
  readonly signIn: Pick<SignIn, 'cached' | 'authenticate'>;
  readonly origins: Pick<Origins, 'isKnown' | 'check'>;
  readonly limitBearer: LimitCalls<Bearer>;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly newRequestId: () => string;
  /** Stores each request that was answered with an error. */
  readonly recordFailure: RecordFailedRequest;
}

/** Handler of a route for an authenticated call. An error that it throws becomes the response. */
export type Work = (call: Call) => Promise<void>;

/** Route that serves authenticated calls of applications. */
export interface Served {
  readonly work: Work;
  /**
   * Records a call that was refused before `work` began, because a rate limit of its user or application was reached.
   */
  readonly refused: (call: Call, error: unknown) => void;
}

/** Returns the WWW-Authenticate value for a request without a valid access token (RFC 6750). */
export type Challenge = (request: IncomingMessage) => string;

/** Handles a request of the Node.js server. */
export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

const BEARER: Challenge = () => 'Bearer';

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
 * Creates the handler for calls of applications on routes that bypass Fastify. It makes the checks of Fastify routes at
 * a lower cost.
 */
export function createServe(options: ServeOptions) {
  const { addressOf, callers, headers, limitBearer, log, newRequestId, origins, recordFailure, signIn } =
    options;
  const errorResponse = createErrorResponse({ log, headers });

  async function identify({ request }: Call): Promise<Bearer> {
    const accessToken = readBearer(request.headers.authorization);
    return signIn.cached(accessToken) ?? (await signIn.authenticate(accessToken, addressOf(request)));
  }

  async function refuse(call: Call, thrown: unknown, { route, challenge }: Refusing): Promise<void> {
    const { applicationId, bearer, id, request, response, headers } = call;
    const error = asServiceError(thrown);
    if (error.status === 401) headers['www-authenticate'] = challenge(request);
    const reply = errorResponse(error, { requestId: id, route });
    call.errorCode = error.code;
    const actor = bearer ? actorOf(bearer) : applicationId || 'user';
    const operation = `${request.method} ${route}`;
    recordFailure({ requestId: id, applicationId, actor, operation, errorCode: error.code, error });
    // Closes the connection, because a response that has begun cannot become an error response.
    if (response.headersSent) return void response.destroy();
    await call.beforeSend?.({ status: reply.status, body: reply.body, errorCode: error.code });
    const length = { 'content-length': Buffer.byteLength(reply.body) };
    response.writeHead(reply.status, { ...headers, ...reply.headers, ...length });
    response.end(request.method === 'HEAD' ? undefined : reply.body);
  }

  async function run(call: Call, { work, refused }: Served): Promise<void> {
    const { id: requestId, request } = call;
    checkHead(request);
    const { origin } = request.headers;
    if (origin !== undefined) await allowOrigin(origins, origin, call.headers);
    const bearer = await identify(call);
    call.bearer = bearer;
    const { applicationId } = bearer;
    call.applicationId = applicationId;
    try {
      limitBearer(request, call.headers, bearer);
    } catch (error) {
      refused(call, error);
      throw error;
    }
    if (origin !== undefined) await origins.check(bearer, origin);
    const actor = actorOf(bearer);
    const caller = () => ({ actor, applicationId, requestId, address: addressOf(request) });
    await callers.run(caller, () => work(call));
  }

  /** Begins a call, and logs it when it ends. */
  function open(given: NewCall, route: string): Call {
    const begunAt = performance.now();
    const call = openCall(given);
    call.onClose(() => {
      log.request({
        requestId: call.id,
        traceId: call.traceId,
        applicationId: call.applicationId,
        method: call.request.method ?? '',
        route,
        status: call.response.statusCode,
        durationMs: Math.round(performance.now() - begunAt),
        errorCode: call.errorCode,
      });
    });
    return call;
  }

  function serve(route: string, served: Served, challenge = BEARER): Serve {
    return (request, response) => {
      const call = open({ id: newRequestId(), request, response, headers }, route);
      run(call, served).catch((error: unknown) => refuse(call, error, { route, challenge }));
    };
  }

  function serveIdentified(route: string, work: Work): ServeIdentified {
    return (request, response, { requestId, applicationId, headers }) => {
      const call = open({ id: requestId, request, response, headers }, route);
      call.applicationId = applicationId;
      work(call).catch((error: unknown) => refuse(call, error, { route, challenge: BEARER }));
    };
  }

  return { serve, serveIdentified };
}
