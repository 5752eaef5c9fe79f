import { failureReason, ServiceError } from '../errors.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { Commit } from '../records/commit.js';
import type { AuthorizationFlowRow, AuthorizationLinkRow } from '../storage/authorization-rows.js';
import { CONSENT_ERRORS, CONSENT_REASONS } from './consent-errors.js';

type Refused =
  | { readonly link: AuthorizationLinkRow; readonly reason: string }
  | { readonly flow: AuthorizationFlowRow; readonly reason: string };

const UNUSABLE = 'upstream_unusable';

/**
 * Returns the reason code of a failed consent. Texts from a callback or an upstream are never stored, because strangers
 * can write them.
 */
export function refusalReason(error: unknown): string {
  if (!(error instanceof ServiceError)) return 'fault';
  const { cause } = error;
  if (cause instanceof OAuthError) {
    if (cause.isClientRefused) return 'client_refused';
    return CONSENT_ERRORS.get(cause.error ?? '')?.reason ?? `upstream_${cause.failure}`;
  }
  return failureReason(error);
}

/**
 * Returns the error with the reason code of the failed consent in its details. The details are stored with the failed
 * request, where an operator finds the reason by the request id.
 */
export function withRefusalReason(error: ServiceError): ServiceError {
  const { code, message, details, cause } = error;
  const reason = refusalReason(error);
  if (reason === failureReason(error)) return error;
  return new ServiceError(code, message, { ...details, reason }, { cause });
}

/**
 * Returns the code for `svc_error` in the redirect to the application. Reasons in {@link CONSENT_REASONS} keep their
 * code. Every other refused consent becomes `failed`. Other errors, such as `unavailable`, keep their error code.
 */
export function failureCode(error: ServiceError): string {
  const reason = refusalReason(error);
  if (CONSENT_REASONS.includes(reason)) return reason;
  return error.code === 'forbidden' ? 'failed' : error.code;
}

/**
 * Returns the reason code of a failed consent for the audit log. If the upstream's response was unusable, the code is
 * followed by the problem, because an operator cannot see the response.
 */
export function auditedReason(error: unknown): string {
  const reason = refusalReason(error);
  const cause = error instanceof ServiceError ? error.cause : undefined;
  return cause instanceof OAuthError && reason === UNUSABLE ? `${reason}: ${cause.message}` : reason;
}

export function createRefuseConsent({
  commit,
  now,
}: {
  readonly commit: Commit;
  readonly now: () => number;
}) {
  /**
   * Writes a refused consent to the audit log. A refusal before the consent page is recorded once for its link, and a
   * later refusal once for its flow, because a browser can repeat its request any number of times.
   */
  async function refuseConsent(refused: Refused): Promise<void> {
    const row = 'link' in refused ? refused.link : refused.flow;
    await commit(async ({ authorizationLinks, authorizationFlows }, audit) => {
      const table = 'link' in refused ? authorizationLinks : authorizationFlows;
      if (!(await table.refuse(row.id, now()))) return;
      const { applicationId, accountId: object } = row;
      const { reason } = refused;
      audit({ action: 'authorization.refused', applicationId, object, result: 'refused', reason });
    });
  }
  return refuseConsent;
}

export type RefuseConsent = ReturnType<typeof createRefuseConsent>;
