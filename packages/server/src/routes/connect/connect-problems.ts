import { refusalReason } from '../../authorization/refuse-consent.js';
import type { ServiceError } from '../../errors.js';
import type { ProblemName } from './connect-texts.js';

/** The page for why an approval failed, by the reason that the audit log has too, else by the error's code. */
const PROBLEM_OF: Readonly<Record<string, ProblemName>> = {
  link_unknown: 'linkUnknown',
  link_expired: 'linkExpired',
  link_used_before: 'linkUsed',
  not_found: 'linkUnknown',
  approval_over: 'approvalOver',
  other_connection: 'approvalOver',
  expired: 'approvalExpired',
  used_before: 'approvalUsed',
  other_browser: 'otherBrowser',
  other_site: 'otherSite',
  other_site_decided: 'otherSiteDecided',
  no_cookie: 'noCookie',
  other_subject: 'otherPerson',
  other_identifier: 'otherIdentifier',
  access_denied: 'notAllowed',
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
  rate_limited: 'tooMany',
  unavailable: 'away',
};

/** `isCallback`: the user is back from the upstream, and what was begun cannot be begun again. */
export function problemOf(error: ServiceError, isCallback: boolean): ProblemName {
  const name = PROBLEM_OF[refusalReason(error)] ?? 'failed';
  return name === 'upstreamAway' && isCallback ? 'upstreamLeft' : name;
}
