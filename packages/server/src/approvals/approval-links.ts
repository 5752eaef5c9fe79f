import { isSame } from '../text/is-same.js';
import type { Digest } from '../vault/pepper.js';

interface ApprovalLinksOptions {
  readonly digest: Digest;
  /** Base URL that users' browsers see, without a slash at the end. */
  readonly environmentUrl: string;
}

const TOKEN = /^(appr_[0-9a-f]{24})\.([\w-]{43})$/;

/** Signed links that let their holder decide once about one pending call. They are not stored. */
export function createApprovalLinks({ digest, environmentUrl }: ApprovalLinksOptions) {
  const signatureOf = (id: string) => digest('link of an approval', id);
  return {
    /** Link whose holder can approve or reject the call. Give it only to callers who may decide without the link. */
    linkOf: (id: string): string => `${environmentUrl}/approve/${id}.${signatureOf(id)}`,
    /** Link to the dashboard, which asks an operator to sign in. Any caller may have it. */
    pageOf: (applicationId: string, id: string): string =>
      `${environmentUrl}/dashboard/applications/${encodeURIComponent(applicationId)}/approvals/${id}`,
    /** Returns the id of the approval; `undefined` when the signature is wrong. */
    read: (token: string): string | undefined => {
      const [, id, given] = TOKEN.exec(token) ?? [];
      if (id === undefined || given === undefined) return undefined;
      return isSame(given, signatureOf(id)) ? id : undefined;
    },
  };
}

export type ApprovalLinks = ReturnType<typeof createApprovalLinks>;
