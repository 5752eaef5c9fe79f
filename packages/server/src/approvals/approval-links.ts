import { isSame } from '../text/is-same.js';
import type { Digest } from '../vault/pepper.js';

export interface ApprovalLinksParts {
  readonly digest: Digest;
  /** What users' browsers see, without a slash at the end. */
  readonly environmentUrl: string;
}

const TOKEN = /^(appr_[0-9a-f]{24})\.([\w-]{43})$/;

/**
 * Links with which one person decides about one call. They are signed and not stored: whoever has one may decide once, as
 * long as the call waits.
 */
export function createApprovalLinks({ digest, environmentUrl }: ApprovalLinksParts) {
  const seal = (id: string) => digest('link of an approval', id);
  return {
    /** For those alone who may decide without it. */
    linkOf: (id: string): string => `${environmentUrl}/approve/${id}.${seal(id)}`,
    /** For everybody: it opens to an operator who signs in. */
    pageOf: (applicationId: string, id: string): string =>
      `${environmentUrl}/dashboard/applications/${encodeURIComponent(applicationId)}/approvals/${id}`,
    /** The id that a link is for; `undefined` when it is none of this service. */
    read: (token: string): string | undefined => {
      const [, id, given] = TOKEN.exec(token) ?? [];
      if (id === undefined || given === undefined) return undefined;
      return isSame(given, seal(id)) ? id : undefined;
    },
  };
}

export type ApprovalLinks = ReturnType<typeof createApprovalLinks>;
