/** Codes of a server beside those of the standards, by their meaning. */
export interface ForeignCodes {
  /** At a refresh: only a new consent of the user gives tokens again. */
  readonly grantOver: readonly string[];
  /** At the callback: the user declined. */
  readonly cancelled: readonly string[];
  /** At the callback: an administrator of the user's organization does not allow it. */
  readonly refusedByAdministrator: readonly string[];
}

/** Code of this service for a consent that the user's administrator does not allow. */
export const REFUSED_BY_ADMINISTRATOR = 'refused_by_administrator';

/** Codes of GitHub, Slack, HubSpot, LinkedIn, Google, Microsoft, Salesforce and others, in lower case. */
const COMMON: ForeignCodes = {
  grantOver: [
    'account_inactive',
    'bad_refresh_token',
    'expired_refresh_token',
    'expired_token',
    'invalid_refresh_token',
    'invalid_token',
    'refresh_token_expired',
    'refresh_token_revoked',
    'token_expired',
    'token_inactive',
    'token_revoked',
    'user_revoked',
  ],
  cancelled: [
    'authorization_declined',
    'canceled',
    'cancelled',
    'consent_declined',
    'user_cancelled_authorize',
    'user_cancelled_login',
    'user_denied',
  ],
  refusedByAdministrator: [
    'admin_consent_required',
    'admin_policy_enforced',
    'admin_restricted',
    'app_blocked',
    'oauth_app_blocked',
    'org_internal',
  ],
};

/** Codes with which GitHub and Slack refuse the client itself. */
const CLIENT_REFUSED = [
  'bad_client_secret',
  'incorrect_client_credentials',
  'invalid_client_id',
  'invalid_client_secret',
];

const means = (meaning: keyof ForeignCodes, code: string, own: ForeignCodes | undefined): boolean =>
  COMMON[meaning].includes(code.toLowerCase()) || (own?.[meaning].includes(code) ?? false);

/** The code of RFC 6749 for an error of the token endpoint; the code itself where it has no other. */
export function translateTokenError(
  code: string,
  { isRefresh, own }: { readonly isRefresh: boolean; readonly own: ForeignCodes | undefined },
): string {
  if (CLIENT_REFUSED.includes(code.toLowerCase())) return 'invalid_client';
  return isRefresh && means('grantOver', code, own) ? 'invalid_grant' : code;
}

/** `access_denied` for a user who declined, `refused_by_administrator`, or the code itself. */
export function translateCallbackError(code: string, own: ForeignCodes | undefined): string {
  if (means('cancelled', code, own)) return 'access_denied';
  return means('refusedByAdministrator', code, own) ? REFUSED_BY_ADMINISTRATOR : code;
}
