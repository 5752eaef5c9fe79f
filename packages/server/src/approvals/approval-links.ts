import { isSame } from '../text/is-same.js';
import type { Digest } from '../vault/pepper.js';

interface ApprovalLinksOptions {
  readonly digest: Digest;
  /** URL at which browsers reach this service, without a trailing slash. */
  readonly environmentUrl: string;
}

const TOKEN = /^(appr_[0-9a-f]{24})\.([\w-]{43})$/;

/**
 * Creates signed approval links. The holder of a link may approve or deny one pending call. Links are verified by their
 * signature and not stored.
 */
export function createApprovalLinks({ digest, environmentUrl }: ApprovalLinksOptions) {
  const signatureOf = (id: string) => digest('link of an approval', id);
  return {
    /** Returns the link whose holder can approve or deny the call. Give it only to a caller that may decide itself. */
    linkOf: (id: string): string => `${environmentUrl}/approve/${id}.${signatureOf(id)}`,
    /**
     * Returns the link to the approval in the dashboard, which requires an operator's sign-in. It gives no rights, so
     * any caller may have it.
     */
    pageOf: (applicationId: string, id: string): string =>
      `${environmentUrl}/dashboard/applications/${encodeURIComponent(applicationId)}/approvals/${id}`,
    /** Returns the approval's id from a link's token. Returns `undefined` if the signature is wrong. */
    read: (token: string): string | undefined => {
      const [, id, given] = TOKEN.exec(token) ?? [];
      if (id === undefined || given === undefined) return undefined;
      return isSame(given, signatureOf(id)) ? id : undefined;
    },
  };
}

export type ApprovalLinks = ReturnType<typeof createApprovalLinks>;
