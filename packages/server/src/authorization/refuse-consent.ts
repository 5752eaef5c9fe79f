import { ServiceError } from '../errors.js';
import { REFUSED_BY_ADMINISTRATOR } from '../oauth/foreign-codes.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { Commit } from '../records/commit.js';
import type { AuthorizationFlowRow, AuthorizationLinkRow } from '../storage/authorization-rows.js';

type Refused =
  | { readonly link: AuthorizationLinkRow; readonly reason: string }
  | { readonly flow: AuthorizationFlowRow; readonly reason: string };

/** Reason of a consent that the user declined. */
export const CANCELLED = 'cancelled';

const UNUSABLE = 'upstream_unusable';
const REFUSED_BY_USER_OR_ADMINISTRATOR = [CANCELLED, REFUSED_BY_ADMINISTRATOR];

/** Reason of a failed consent, in words of this service: texts of a callback or an upstream are not stored. */
export function refusalReason(error: unknown): string {
  if (!(error instanceof ServiceError)) return 'fault';
  const { cause, details, code } = error;
  if (cause instanceof OAuthError) {
    if (cause.error === 'access_denied') return CANCELLED;
    if (cause.error === REFUSED_BY_ADMINISTRATOR) return REFUSED_BY_ADMINISTRATOR;
    return cause.isClientRefused ? 'client_refused' : `upstream_${cause.failure}`;
  }
  return typeof details?.['reason'] === 'string' ? details['reason'] : code;
}

/** Error code of a failed consent for the application: a code of who refused, `failed`, or the code of an unrelated error. */
export function failureCode(error: ServiceError): string {
  const reason = refusalReason(error);
  if (REFUSED_BY_USER_OR_ADMINISTRATOR.includes(reason)) return reason;
  return error.code === 'forbidden' ? 'failed' : error.code;
}

/** The reason, with the fault of an unusable response: an operator cannot see that response. */
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
  /** Writes the reason to the audit log, once per link and flow, because a browser can repeat its request for ever. */
  async function refuseConsent(refused: Refused): Promise<void> {
    const [table, row] =
      'link' in refused
        ? (['authorizationLinks', refused.link] as const)
        : (['authorizationFlows', refused.flow] as const);
    await commit(async ({ authorizationFlows }, tell) => {
      if (!(await authorizationFlows.refuse(table, row.id, now()))) return;
      const { applicationId, accountId: object } = row;
      const { reason } = refused;
      tell({ action: 'authorization.refused', applicationId, object, result: 'refused', reason });
    });
  }
  return refuseConsent;
}

export type RefuseConsent = ReturnType<typeof createRefuseConsent>;
