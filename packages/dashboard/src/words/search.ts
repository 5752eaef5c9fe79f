import type { ResponseOf } from '../api/call.ts';
import { hrefOf, PATHS, withQuery } from '../paths.ts';
import { approvalWords } from './approvals.ts';
import { errorWords } from './error-codes.ts';
import { ACCOUNT_STATUSES } from './states.ts';
import { DELIVERY_STATES } from './webhooks.ts';

export type SearchResult = ResponseOf<'GET /operator/v1/search'>;
export type FoundKind = SearchResult['groups'][number]['kind'];
export type Found = SearchResult['groups'][number]['items'][number];

/** Titles of the groups of a search result. */
export const FOUND_TITLES: Readonly<Record<FoundKind, string>> = {
  execution: 'Calls',
  failedRequest: 'Failed requests',
  auditEvent: 'Audit events',
  user: 'Users',
  account: 'Connected accounts',
  approval: 'Approvals',
  connection: 'Connections',
  agentGrant: 'Access granted to MCP clients',
  token: 'Tokens',
  webhookEndpoint: 'Webhook endpoints',
  event: 'Webhook events',
  delivery: 'Webhook deliveries',
};

const STATES: Readonly<Partial<Record<FoundKind, Readonly<Record<string, string>>>>> = {
  account: ACCOUNT_STATUSES,
  auditEvent: { done: 'Done', refused: 'Refused' },
  connection: { invalid_client: 'Client rejected' },
  delivery: DELIVERY_STATES,
  webhookEndpoint: { gone: 'Disabled', failing: 'Disabled' },
};

const HTTP_STATUS = /^\d{3}$/;

/** Returns the text for the state of a found object: an HTTP status, an error code or a status such as `authorized`. */
export function foundState(kind: FoundKind, { state = '' }: Pick<Found, 'state'>): string {
  if (kind === 'execution' && state !== '')
    return HTTP_STATUS.test(state) ? `Status ${state}` : errorWords(state).title;
  if (kind === 'approval') return approvalWords(state).title;
  const titles = STATES[kind] ?? {};
  return (Object.hasOwn(titles, state) ? titles[state] : undefined) ?? state.replaceAll('_', ' ');
}

const MILLISECOND = 1;

/**
 * Returns the URL of the audit log, limited to the millisecond of one audit event, because an audit event has no page.
 */
function eventHref({ applicationId, at }: Found): string {
  const time = Date.parse(at ?? '');
  return withQuery(PATHS.audit, {
    applicationId: applicationId ?? undefined,
    since: at,
    until: new Date(time + MILLISECOND).toISOString(),
  });
}

/**
 * Returns the URL of the page that shows a found object. The URL of a connection's page contains the connection's name.
 */
export function foundHref(kind: FoundKind, found: Found): string {
  const applicationId = found.applicationId ?? '';
  const { executionId, id, title: connectionName, identifier } = found;
  if (executionId !== undefined) return hrefOf(PATHS.execution, { applicationId, executionId });
  if (kind === 'execution') return hrefOf(PATHS.execution, { applicationId, executionId: id });
  if (kind === 'account') return hrefOf(PATHS.account, { applicationId, accountId: id });
  if (kind === 'approval') return hrefOf(PATHS.approval, { applicationId, approvalId: id });
  if (kind === 'connection') return hrefOf(PATHS.connection, { applicationId, connectionName });
  if (kind === 'webhookEndpoint') return hrefOf(PATHS.webhookEndpoint, { applicationId, endpointId: id });
  if (kind === 'event') return hrefOf(PATHS.event, { applicationId, eventId: id });
  if (kind === 'delivery') return hrefOf(PATHS.delivery, { applicationId, deliveryId: id });
  if (kind === 'auditEvent') return eventHref(found);
  return hrefOf(PATHS.user, { applicationId, identifier });
}

/**
 * Explains a search without results. The service deletes calls and audit events after some days, so the search no
 * longer finds old requests.
 */
export const nothingFound = ({ keptDays: { executions, audit } }: SearchResult): string => {
  const kept =
    executions === audit
      ? `calls and audit events for ${executions} days`
      : `calls for ${executions} days and audit events for ${audit} days`;
  return `Nothing has this ID, and no user has this identifier. The service keeps ${kept}. Per minute and caller, the service stores at most 20 equal failed requests.`;
};
