import { contains, type ErrorRule, type SyncToken } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { findErrorRule } from '../upstream/error-rule.js';

/** Reaction of a watch to a failed poll. */
export type PollFailure =
  /** The watch pauses. It continues automatically when the cause has ended. */
  | { readonly kind: 'pause'; readonly reason: string }
  /**
   * The watch stops after `most` failures in a row, until the application enables it again. `most` is more than one for
   * a cause that may pass. For example, an instance with an older catalogue may not know the tool yet.
   */
  | { readonly kind: 'end'; readonly reason: string; readonly most: number }
  /**
   * The upstream refused the request for a page. The next poll begins with the first page. The watch stops after `most`
   * refusals in a row.
   */
  | { readonly kind: 'refused'; readonly reason: string; readonly most: number }
  /** The upstream no longer accepts the sync token, so the next poll reads the whole list. */
  | { readonly kind: 'expired' }
  /**
   * The watch is polled again later: after `seconds` if the upstream sent a Retry-After header, and otherwise after a
   * backoff.
   */
  | { readonly kind: 'postpone'; readonly reason: string; readonly seconds: number | undefined };

const ENDING: Readonly<Partial<Record<ServiceError['code'], string>>> = {
  tool_not_found: 'tool_removed',
  invalid_input: 'input_refused',
  unknown_version: 'input_refused',
  invalid_request: 'input_refused',
};

/**
 * HTTP status codes below 500 that do not mean that the request is wrong. After them, the watch is polled again later.
 */
const PASSING = [401, 408, 423, 425, 429];
const MAX_REFUSED = 5;
/**
 * Maximum number of 403 responses in a row. It is high, because some upstreams also send 403 for a quota that they
 * renew after a day.
 */
const MAX_FORBIDDEN = 30;

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

export interface FailureContext {
  /**
   * Definition of the list's sync token. Absent if the failed request contained no sync token, because then none can
   * have expired.
   */
  readonly syncToken: SyncToken | undefined;
  /** Error rules of the connector, which classify the upstream's error responses. */
  readonly rules: readonly ErrorRule[];
}

function classifyUpstream({ details = {} }: ServiceError, { syncToken, rules }: FailureContext): PollFailure {
  const { body } = details;
  const status = numberOf(details['status']);
  const seconds = numberOf(details['retryAfter']);
  const expired = syncToken?.expired;
  if (expired && expired.status === status && contains(body, expired.body ?? {})) return { kind: 'expired' };
  if (status === undefined) return { kind: 'refused', reason: 'list_unreadable', most: MAX_REFUSED };
  const isPassing = status < 400 || status >= 500 || PASSING.includes(status) || seconds !== undefined;
  if (isPassing || findErrorRule(rules, status, body)?.retry !== undefined)
    return { kind: 'postpone', reason: 'upstream_failed', seconds };
  return { kind: 'refused', reason: 'call_rejected', most: status === 403 ? MAX_FORBIDDEN : MAX_REFUSED };
}

/** Decides how a watch reacts to an error of its poll. */
export function classifyFailure(error: unknown, context: FailureContext): PollFailure {
  if (!(error instanceof ServiceError))
    return { kind: 'postpone', reason: 'internal_error', seconds: undefined };
  if (error.code === 'upstream_failed') return classifyUpstream(error, context);
  if (error.code === 'account_not_authorized') return { kind: 'pause', reason: error.code };
  // Uses the `reason` of a `conflict`, because the service itself throws this error if a watch cannot continue.
  if (error.code === 'conflict' && error.reason !== undefined)
    return { kind: 'end', reason: error.reason, most: 1 };
  const reason = ENDING[error.code];
  if (reason !== undefined) return { kind: 'end', reason, most: MAX_REFUSED };
  return { kind: 'postpone', reason: error.code, seconds: numberOf(error.details?.['retryAfter']) };
}
