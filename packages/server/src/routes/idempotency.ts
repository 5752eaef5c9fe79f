import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AnswerSubject, Idempotency, KeyedRun, StoredAnswer } from '../applications/idempotency.js';
import { waitUntilStored } from '../concurrency/retry-while-unavailable.js';
import { type ErrorCode, isFinal, ServiceError } from '../errors.js';
import type { Log } from '../log/log.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The route creates or executes something, and takes an Idempotency-Key. This names the account or connection, or
     * says what was made that the answer has the id of.
     */
    readonly keyedBy?: 'params' | 'body' | 'answer' | 'tokenId' | 'agentClientId';
  }
  interface FastifyRequest {
    keyedRun: KeyedRun | undefined;
  }
}

// After these something may have happened upstream, so the key must not run its call again.
const MAY_HAVE_HAPPENED: readonly ErrorCode[] = [
  'upstream_failed',
  'upstream_timeout',
  'connection_failed',
  'internal_error',
];
const KEY = /^[\x21-\x7e]{1,255}$/;

/** How the key is described; what it may be is said of each call that needs it. */
const HEADERS = {
  type: 'object',
  properties: {
    'idempotency-key': {
      type: 'string',
      description:
        'The same key and request within 24 hours get the first answer again: 1 to 255 visible ASCII characters.',
    },
  },
};

// What has no effect needs no key, and must not use up that of the call itself.
const isDryRun = ({ body }: FastifyRequest): boolean =>
  typeof body === 'object' && body !== null && 'dryRun' in body && body.dryRun === true;

function readKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined || request.routeOptions.config.keyedBy === undefined || isDryRun(request))
    return undefined;
  if (typeof key === 'string' && KEY.test(key)) return key;
  throw new ServiceError(
    'invalid_request',
    'An Idempotency-Key has 1 to 255 visible ASCII characters, such as a UUID.',
  );
}

/** A narrowed token has keys of its own: the answers of another one, and of the application, are not its to see. */
const keyOfBearer = ({ bearer }: FastifyRequest, key: string): string =>
  bearer?.token === undefined ? key : `${bearer.token.seals.at(-1)} ${key}`;

/** Of an error whose code says that nothing ran, its details may say that a part of the call did. */
const saysFinal = ({ body, errorCode }: StoredAnswer): boolean =>
  errorCode !== undefined && isFinal(JSON.parse(body).error);

function mustKeep(answer: StoredAnswer): boolean {
  return (
    answer.status < 400 || MAY_HAVE_HAPPENED.some((kept) => kept === answer.errorCode) || saysFinal(answer)
  );
}

function subjectOf({ params, body, routeOptions }: FastifyRequest, answer: string): AnswerSubject {
  const { keyedBy } = routeOptions.config;
  if (keyedBy === 'answer') return JSON.parse(answer);
  if (keyedBy === 'tokenId' || keyedBy === 'agentClientId') return { [keyedBy]: JSON.parse(answer).id };
  // Both were checked by the schema of the route.
  return (keyedBy === 'params' ? params : body) as AnswerSubject;
}

export interface IdempotencyOptions {
  readonly idempotency: Idempotency;
  readonly log: Pick<Log, 'fault'>;
  readonly keepMs?: number;
}

/** Makes every route of `app` that is marked so take an Idempotency-Key. Requests must be authenticated before. */
export function addIdempotency(app: FastifyInstance, { idempotency, log, keepMs }: IdempotencyOptions): void {
  app.decorateRequest('keyedRun', undefined);

  app.addHook('onRoute', (route) => {
    if (route.config?.keyedBy !== undefined) route.schema = { ...route.schema, headers: HEADERS };
  });

  app.addHook('preHandler', async (request, reply) => {
    const key = readKey(request);
    if (key === undefined) return;
    const begun = await idempotency.begin({
      applicationId: request.applicationId,
      key: keyOfBearer(request, key),
      request: `${request.method} ${request.url}\n${JSON.stringify(request.body)}`,
    });
    if ('run' in begun) {
      request.keyedRun = begun.run;
      return;
    }
    const { status, body, errorCode } = begun.answer;
    if (errorCode !== undefined) reply.header('svc-error', errorCode);
    return reply
      .code(status)
      .header('idempotent-replayed', 'true')
      .type('application/json; charset=utf-8')
      .send(body);
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const run = request.keyedRun;
    if (run === undefined) return payload;
    request.keyedRun = undefined;
    const errorCode = reply.getHeader('svc-error')?.toString();
    const answer = { status: reply.statusCode, body: String(payload), errorCode };
    const kept = mustKeep(answer) ? run.keep(answer, subjectOf(request, answer.body)) : run.release();
    const told = kept.catch((error: unknown) => {
      log.fault('the end of a call with a key was not kept', error, { requestId: request.id });
    });
    await waitUntilStored(told, keepMs);
    return payload;
  });
}
