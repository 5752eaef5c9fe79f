import { contains, type ErrorRule, type SyncToken } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { findErrorRule } from '../upstream/error-rule.js';

/** Effect of a failed poll on its watch. */
export type PollFailure =
  /** The watch continues by itself after the cause has ended. */
  | { readonly kind: 'pause'; readonly reason: string }
  /** The watch ends until the application enables it again. */
  | { readonly kind: 'end'; readonly reason: string }
  /** The upstream refused the page. The walk begins again, and the watch ends after `most` refusals in a row. */
  | { readonly kind: 'refused'; readonly reason: string; readonly most: number }
  /** The sync token has expired. */
  | { readonly kind: 'expired' }
  /** The poll is repeated later, after `seconds` if the upstream named a time. */
  | { readonly kind: 'postpone'; readonly seconds: number | undefined };

const ENDING: Readonly<Partial<Record<ServiceError['code'], string>>> = {
  tool_not_found: 'tool_removed',
  invalid_input: 'input_refused',
  unknown_version: 'input_refused',
  invalid_request: 'input_refused',
  approval_required: 'approval_required',
};

/** Statuses of the upstream that do not depend on the request. */
const PASSING = [401, 408, 423, 425, 429];
const MOST_REFUSED = 5;
/** Maximum number of refusals with 403, by which some upstreams also report a quota that ends after a day. */
const MOST_FORBIDDEN = 30;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

export interface FailureContext {
  /** Way of the sync token. Absent if the page was requested without a token, which then cannot have expired. */
  readonly syncToken: SyncToken | undefined;
  /** Error rules of the connector. */
  readonly rules: readonly ErrorRule[];
}

function classifyUpstream({ details = {} }: ServiceError, { syncToken, rules }: FailureContext): PollFailure {
  const { body } = details;
  const status = numberOf(details['status']);
  const seconds = numberOf(details['retryAfter']);
  const expired = syncToken?.expired;
  if (expired && expired.status === status && contains(body, expired.body ?? {})) return { kind: 'expired' };
  if (status === undefined) return { kind: 'refused', reason: 'list_unreadable', most: MOST_REFUSED };
  const isPassing = status < 400 || status >= 500 || PASSING.includes(status) || seconds !== undefined;
  if (isPassing || findErrorRule(rules, status, body)?.retry !== undefined)
    return { kind: 'postpone', seconds };
  return { kind: 'refused', reason: 'call_rejected', most: status === 403 ? MOST_FORBIDDEN : MOST_REFUSED };
}

/** Decides how a watch continues after an error. */
export function classifyFailure(error: unknown, context: FailureContext): PollFailure {
  if (!(error instanceof ServiceError)) return { kind: 'postpone', seconds: undefined };
  if (error.code === 'upstream_failed') return classifyUpstream(error, context);
  if (error.code === 'account_not_authorized') return { kind: 'pause', reason: error.code };
  // The service itself ends a watch by a conflict.
  const reason = error.code === 'conflict' ? textOf(error.details?.['reason']) : ENDING[error.code];
  if (reason !== undefined) return { kind: 'end', reason };
  return { kind: 'postpone', seconds: numberOf(error.details?.['retryAfter']) };
}
