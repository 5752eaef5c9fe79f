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

export interface ServeParts extends ErrorResponseOptions {
  readonly callers: Callers;
  readonly signIn: Pick<SignIn, 'held' | 'authenticate'>;
  readonly origins: Pick<Origins, 'isKnown' | 'check'>;
  readonly limitBearer: LimitCalls<Bearer>;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly newRequestId: () => string;
}

/** Answers a request of Node's server. */
export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** What a route does with a call that may be made; whatever it throws is answered. */
export type Work = (call: Call) => Promise<void>;

/** What tells whoever may not come in how this door is opened (RFC 6750); the token was refused, or there was none. */
export type Challenge = (request: IncomingMessage) => string;

const BEARER: Challenge = () => 'Bearer';

/** What all calls of applications have in common, beside the framework: the same duties without its detours. */
export function createServe(parts: ServeParts): (route: string, work: Work, challenge?: Challenge) => Serve {
  const { addressOf, callers, headers, limitBearer, log, newRequestId, origins, signIn } = parts;
  const errorAnswer = createErrorResponse(parts);

  async function identify({ request }: Call): Promise<Bearer> {
    const accessToken = readBearer(request.headers.authorization);
    return signIn.held(accessToken) ?? (await signIn.authenticate(accessToken, addressOf(request)));
  }

  function refuse(
    call: Call,
    thrown: unknown,
    { route, challenge }: { readonly route: string; readonly challenge: Challenge },
  ): void {
    const { id, request, response, headers: answered } = call;
    const error = toOwnError(thrown);
    if (error.status === 401) answered['www-authenticate'] = challenge(request);
    const answer = errorAnswer(error, { requestId: id, route });
    call.errorCode = error.code;
    // Into an answer that has begun nothing else is written.
    if (response.headersSent) return void response.destroy();
    const length = { 'content-length': Buffer.byteLength(answer.body) };
    response.writeHead(answer.status, { ...answered, ...answer.headers, ...length });
    response.end(request.method === 'HEAD' ? undefined : answer.body);
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

  return (route, work, challenge = BEARER) =>
    (request, response) => {
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
}
