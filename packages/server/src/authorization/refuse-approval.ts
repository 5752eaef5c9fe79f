import { ServiceError } from '../errors.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { Commit } from '../records/commit.js';
import type { AuthorizationFlowRow, AuthorizationLinkRow } from '../storage/authorization-rows.js';

export interface RefuseApprovalParts {
  readonly commit: Commit;
  readonly now: () => number;
}

type Refused =
  | { readonly link: AuthorizationLinkRow; readonly reason: string }
  | { readonly flow: AuthorizationFlowRow; readonly reason: string };

/** Why an approval failed, in words of ours: what a callback or an upstream wrote is not kept. */
export function refusalReason(error: unknown): string {
  if (!(error instanceof ServiceError)) return 'fault';
  const { cause, details, code } = error;
  if (cause instanceof OAuthError) {
    if (cause.error === 'access_denied') return 'access_denied';
    return cause.isClientRefused ? 'client_refused' : `upstream_${cause.failure}`;
  }
  return typeof details?.['reason'] === 'string' ? details['reason'] : code;
}

/** Tells the audit log why an approval did not go on. Once per link and flow, because a browser can ask forever. */
export type RefuseApproval = (refused: Refused) => Promise<void>;

export const createRefuseApproval =
  ({ commit, now }: RefuseApprovalParts): RefuseApproval =>
  async (refused) => {
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
  };
