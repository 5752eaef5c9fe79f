import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Origins } from '../applications/origins.js';
import type { SignIn } from '../applications/sign-in.js';
import type { Callers } from '../caller.js';
import { checkHead } from '../listener/check-head.js';
import { createErrorResponse, type ErrorResponseOptions, toOwnError } from '../listener/error-reply.js';
import type { Bearer } from '../tokens/narrowed-tokens.js';
import { actorOf } from '../tokens/token-uses.js';
import { allowOrigin } from './allow-origin.js';
import { readBearer } from './bearer.js';
import { type Call, openCall } from './call.js';
import type { LimitCalls } from './limit-calls.js';

export interface ServeOptions extends ErrorResponseOptions {
  readonly callers: Callers;
  readonly signIn: Pick<SignIn, 'held' | 'authenticate'>;
  readonly origins: Pick<Origins, 'isKnown' | 'check'>;
  readonly limitBearer: LimitCalls<Bearer>;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly newRequestId: () => string;
}

/** Does the work of a route for an authorized call. An error that it throws becomes the response. */
export type Work = (call: Call) => Promise<void>;

/** Value of WWW-Authenticate for a caller without an accepted access token (RFC 6750). */
export type Challenge = (request: IncomingMessage) => string;

/** Answers a request of Node's server. */
export type Serve = ReturnType<ReturnType<typeof createServe>>;

interface Refusal {
  readonly route: string;
  readonly challenge: Challenge;
}

const BEARER: Challenge = () => 'Bearer';

/** Creates what all calls of applications have in common and Fastify does for other routes: sign-in, limits, errors, the log. */
export function createServe(options: ServeOptions) {
  const { addressOf, callers, headers, limitBearer, log, newRequestId, origins, signIn } = options;
  const errorResponse = createErrorResponse({ log, headers });

  async function identify({ request }: Call): Promise<Bearer> {
    const accessToken = readBearer(request.headers.authorization);
    return signIn.held(accessToken) ?? (await signIn.authenticate(accessToken, addressOf(request)));
  }

  function refuse(call: Call, thrown: unknown, { route, challenge }: Refusal): void {
    const { id, request, response } = call;
    const error = toOwnError(thrown);
    if (error.status === 401) call.headers['www-authenticate'] = challenge(request);
    const refusal = errorResponse(error, { requestId: id, route });
    call.errorCode = error.code;
    // A response that has begun is broken off: nothing else may be written into it.
    if (response.headersSent) return void response.destroy();
    const length = { 'content-length': Buffer.byteLength(refusal.body) };
    response.writeHead(refusal.status, { ...call.headers, ...refusal.headers, ...length });
    response.end(request.method === 'HEAD' ? undefined : refusal.body);
  }

  async function run(call: Call, work: Work): Promise<void> {
    const { id: requestId, request } = call;
    checkHead(request);
    const { origin } = request.headers;
    if (origin !== undefined) await allowOrigin(origins, origin, call.headers);
    const bearer = await identify(call);
    call.bearer = bearer;
    const { applicationId } = bearer;
    call.applicationId = applicationId;
    limitBearer(request, call.headers, bearer);
    if (origin !== undefined) await origins.check(bearer, origin);
    const actor = actorOf(bearer);
    const caller = () => ({ actor, applicationId, requestId, address: addressOf(request) });
    await callers.run(caller, () => work(call));
  }

  return function serveRoute(route: string, work: Work, challenge: Challenge = BEARER) {
    return function serve(request: IncomingMessage, response: ServerResponse): void {
      const begunAt = performance.now();
      const call = openCall({ id: newRequestId(), request, response, headers });
      call.onClose(() => {
        log.answered({
          requestId: call.id,
          applicationId: call.applicationId,
          method: request.method ?? '',
          route,
          status: response.statusCode,
          durationMs: Math.round(performance.now() - begunAt),
          errorCode: call.errorCode,
        });
      });
      run(call, work).catch((error: unknown) => refuse(call, error, { route, challenge }));
    };
  };
}
