import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ConsentError } from '../../authorization/account-parties.js';
import { retryAfterOf, toServiceError } from '../../listener/error-reply.js';
import type { Log } from '../../log/log.js';
import { chooseLanguage } from './accept-language.js';
import { problemPage } from './connect-pages.js';
import { problemOf } from './connect-problems.js';
import { LANGUAGES, type Language } from './connect-texts.js';
import { PAGE_HEADERS } from './page-frame.js';

export const languageOf = ({ headers }: FastifyRequest): Language =>
  chooseLanguage(headers['accept-language'], LANGUAGES);

/** Answers with a page what elsewhere is answered with JSON. At `callback` users are back from an upstream. */
export const createProblem =
  (log: Pick<Log, 'fault'>, callback?: string) =>
  (thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { id: requestId, routeOptions } = request;
    const error = toServiceError(thrown, request);
    if (error.code === 'internal_error') {
      log.fault('unexpected error', error.cause ?? error, { requestId, route: routeOptions.url ?? '' });
    }
    const retryAfter = retryAfterOf(error);
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
    const failure = {
      name: problemOf(error, routeOptions.url === callback),
      parties: error instanceof ConsentError ? error.parties : undefined,
      requestId,
      message: error.message,
    };
    return reply
      .code(error.status)
      .headers({ ...PAGE_HEADERS, 'svc-error': error.code })
      .send(problemPage(languageOf(request), failure));
  };
