import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type AccountParties, ConsentError } from '../../authorization/account-parties.js';
import { failureCode, refusalReason, withRefusalReason } from '../../authorization/refuse-consent.js';
import type { ServiceError } from '../../errors.js';
import { fromFastifyError, retryAfterOf } from '../../listener/error-reply.js';
import type { Log } from '../../log/log.js';
import { readAccept } from '../../text/accept.js';
import { problemPage } from './connect-pages.js';
import { LANGUAGES, type Language } from './connect-texts.js';
import type { ProblemName, ProblemTexts } from './ending-texts.js';
import { PAGE_HEADERS, sendPage } from './page-frame.js';

/**
 * Map from reason codes of the audit log to problem pages. If an error's reason code has no entry, the entry of its
 * error code is used.
 */
const PROBLEM_OF: Readonly<Record<string, ProblemName>> = {
  link_unknown: 'linkUnknown',
  link_expired: 'linkExpired',
  link_used_before: 'linkUsed',
  not_found: 'linkUnknown',
  approval_over: 'approvalOver',
  other_connection: 'approvalOver',
  expired: 'approvalExpired',
  used_before: 'decidedBefore',
  not_verified: 'notVerified',
  other_browser: 'otherBrowser',
  other_site: 'otherSite',
  other_site_decided: 'otherSiteDecided',
  no_cookie: 'noCookie',
  other_subject: 'otherPerson',
  other_identifier: 'otherIdentifier',
  cancelled: 'notAllowed',
  refused_by_administrator: 'refusedByAdministrator',
  administrator_consent_required: 'administratorConsent',
  administrator_returned: 'administratorReturned',
  invalid_scope: 'invalidScope',
  unauthorized_client: 'clientNotAllowed',
  temporarily_unavailable: 'upstreamBusy',
  upstream_refused: 'upstreamRefused',
  upstream_unusable: 'upstreamRefused',
  upstream_unavailable: 'upstreamAway',
  connection_changed: 'changed',
  conflict: 'changed',
  client_refused: 'notSetUp',
  client_unknown: 'notSetUp',
  client_away: 'upstreamAway',
  application_not_configured: 'notSetUp',
  connection_not_configured: 'notSetUp',
  connector_not_found: 'notSetUp',
  keys_refused: 'tooManyKeys',
  rate_limited: 'tooMany',
  unavailable: 'away',
};

interface PageKind {
  /**
   * True if the user has returned from the upstream. The one-time authorization link is then used up, so the page must
   * not advise another attempt with it.
   */
  readonly isCallback: boolean;
  /** True for the page of an approval, whose link comes from no application that could give a new one. */
  readonly isApproval: boolean;
}

/** Selects the problem page of an error. */
function problemOf(error: ServiceError, { isCallback, isApproval }: PageKind): ProblemName {
  const name = PROBLEM_OF[refusalReason(error)] ?? PROBLEM_OF[error.code] ?? 'failed';
  if (name === 'linkUnknown' && isApproval) return 'approvalUnknown';
  return name === 'upstreamAway' && isCallback ? 'upstreamLeft' : name;
}

/**
 * Chooses the language with the highest weight in Accept-Language, or the first of `languages` if none matches. Regions
 * are ignored: de-AT selects de.
 */
export function chooseLanguage<Language extends string>(
  header: string | undefined,
  languages: readonly [Language, ...Language[]],
): Language {
  let [chosen, highest] = [languages[0], 0];
  for (const { name, weight } of readAccept(header)) {
    const primary = name.split('-', 1)[0];
    const language = primary === '*' ? languages[0] : languages.find((each) => each === primary);
    if (language !== undefined && weight > highest) [chosen, highest] = [language, weight];
  }
  return chosen;
}

/** Chooses the first supported language of the authorization link, or a language of the browser. */
export function languageOf({ headers }: FastifyRequest, parties?: AccountParties): Language {
  const wanted = parties?.display?.uiLocales?.toLowerCase().split(' ') ?? [];
  const chosen = wanted
    .map((tag) => LANGUAGES.find((language) => language === tag.split('-', 1)[0]))
    .find((language) => language !== undefined);
  return chosen ?? chooseLanguage(headers['accept-language'], LANGUAGES);
}

/** Routes whose error pages give other advice than to repeat the failed request. */
interface ProblemRoutes {
  /** OAuth callback route. Upstreams redirect the user there after the consent. */
  readonly callback: string;
  /** Route of the page with the result of a one-time authorization link. Absent if the pages belong to no such link. */
  readonly result?: string;
  /** Route of the page that an authorization link opens. The query contains the result of the form on that page. */
  readonly link?: string;
  /** Route of the page on which a person approves or denies a tool call. */
  readonly approval?: string;
  /** Texts of the problem pages. Default: those of an authorization link. */
  readonly texts?: ProblemTexts;
}

/** Notes the error of a request, so that it is stored and an operator finds it by the request id. */
export function noteFailure(request: FastifyRequest, error: ServiceError): void {
  request.failure = withRefusalReason(error);
}

/** Creates an error handler that responds with an HTML page. */
export function createProblem(log: Pick<Log, 'fault'>, routes?: ProblemRoutes) {
  return function replyWithProblem(
    thrown: FastifyError,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply {
    const { id: requestId, routeOptions } = request;
    const error = fromFastifyError(thrown, request);
    noteFailure(request, error);
    if (error.code === 'internal_error') {
      log.fault(
        'a request failed with an unexpected error; report this line to the developers of the service',
        error.cause ?? error,
        { requestId, route: routeOptions.url ?? '' },
      );
    }
    const retryAfter = retryAfterOf(error);
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
    const isOver = routes?.result !== undefined && routeOptions.url === routes.result;
    const isCallback = routes !== undefined && routeOptions.url === routes.callback;
    const isLink = routes?.link !== undefined && routeOptions.url === routes.link;
    const isApproval = routes?.approval !== undefined && routeOptions.url === routes.approval;
    const { administratorUrl } = error.details ?? {};
    const failure = {
      isOver,
      retryUrl: isLink ? '?' : '',
      name: problemOf(error, { isCallback: isOver || isCallback, isApproval }),
      parties: error instanceof ConsentError ? error.parties : undefined,
      requestId,
      ...(isOver || isCallback ? { outcome: failureCode(error) } : {}),
      message: error.message,
      ...(typeof administratorUrl === 'string' && { administratorUrl }),
    };
    const { parties } = failure;
    reply.code(error.status).headers({ ...PAGE_HEADERS, 'svc-error': error.code });
    return sendPage(reply, problemPage(languageOf(request, parties), failure, routes?.texts), failure);
  };
}
