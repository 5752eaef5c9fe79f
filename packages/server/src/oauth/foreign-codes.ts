/** Error codes that an authorization server uses in addition to the OAuth standards, grouped by meaning. */
export interface ForeignCodes {
  /** Codes of a failed token refresh after which the user must consent again. */
  readonly grantOver: readonly string[];
  /** Codes in an OAuth callback which mean that the user declined. */
  readonly cancelled: readonly string[];
  /**
   * Codes in an OAuth callback which mean that an administrator of the user's organization does not allow the access.
   */
  readonly refusedByAdministrator: readonly string[];
}

/** Error code that this service uses for a consent that the administrator of the user's organization refused. */
export const REFUSED_BY_ADMINISTRATOR = 'refused_by_administrator';

/**
 * Nonstandard error codes of GitHub, Slack, HubSpot, LinkedIn, Google, Microsoft, Salesforce and others, in lower case.
 */
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

/** Nonstandard error codes with which GitHub and Slack refuse the OAuth client itself. */
const CLIENT_REFUSED = [
  'bad_client_secret',
  'incorrect_client_credentials',
  'invalid_client_id',
  'invalid_client_secret',
];

const means = (meaning: keyof ForeignCodes, code: string, own: ForeignCodes | undefined): boolean =>
  COMMON[meaning].includes(code.toLowerCase()) || (own?.[meaning].includes(code) ?? false);

/** Translates an error code of the token endpoint to its RFC 6749 code. Returns all other codes unchanged. */
export function translateTokenError(
  code: string,
  { isRefresh, own }: { readonly isRefresh: boolean; readonly own: ForeignCodes | undefined },
): string {
  if (CLIENT_REFUSED.includes(code.toLowerCase())) return 'invalid_client';
  return isRefresh && means('grantOver', code, own) ? 'invalid_grant' : code;
}

/**
 * Translates an error code of an OAuth callback: `access_denied` if the user declined, `refused_by_administrator` if an
 * administrator did. Returns all other codes unchanged.
 */
export function translateCallbackError(code: string, own: ForeignCodes | undefined): string {
  if (means('cancelled', code, own)) return 'access_denied';
  return means('refusedByAdministrator', code, own) ? REFUSED_BY_ADMINISTRATOR : code;
}
