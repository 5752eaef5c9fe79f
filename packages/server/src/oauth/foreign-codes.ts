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
  /** Codes which mean that an administrator must consent for the organization before its users can. */
  readonly administratorConsent: readonly string[];
  /** Codes in an OAuth callback which mean that the server does not know or allow a requested scope. */
  readonly invalidScope: readonly string[];
  /** Codes in an OAuth callback which mean that the server does not know or allow the OAuth client. */
  readonly clientNotAllowed: readonly string[];
  /** Codes in an OAuth callback which mean that a later attempt can succeed. */
  readonly temporarilyUnavailable: readonly string[];
}

/** Error code that this service uses for a consent that the administrator of the user's organization refused. */
export const REFUSED_BY_ADMINISTRATOR = 'refused_by_administrator';

/** Error code that this service uses if an administrator must consent before the users of the organization can. */
export const ADMINISTRATOR_CONSENT = 'administrator_consent_required';

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
    'authorization_denied',
    'canceled',
    'cancelled',
    'consent_declined',
    'consent_denied',
    'user_canceled',
    'user_cancelled',
    'user_cancelled_authorize',
    'user_cancelled_login',
    'user_declined',
    'user_denied',
  ],
  refusedByAdministrator: [
    'admin_policy_enforced',
    'admin_restricted',
    'app_blocked',
    'oauth_app_blocked',
    'org_internal',
  ],
  administratorConsent: ['admin_consent_required'],
  invalidScope: [],
  clientNotAllowed: [],
  temporarilyUnavailable: ['server_error'],
};

/** Nonstandard error codes with which GitHub and Slack refuse the OAuth client itself. */
const CLIENT_REFUSED = [
  'bad_client_secret',
  'incorrect_client_credentials',
  'invalid_client_id',
  'invalid_client_secret',
];

/** Error code of RFC 6749 for a failure that passes. */
const PASSING = 'temporarily_unavailable';
/**
 * Nonstandard error codes for a rate limit or a fault of the server, in lower case. They say nothing about the user's
 * consent.
 */
const PASSING_CODES = [
  'fatal_error',
  'internal_error',
  'internal_server_error',
  'quota_exceeded',
  'rate_limit_exceeded',
  'rate_limited',
  'ratelimited',
  'request_timeout',
  'service_unavailable',
  'slow_down',
  'timeout',
  'too_many_requests',
];
const ASKS_TO_WAIT = /\btoo many requests\b|\brate[ -]?limit|\b(?:try again|retry) later\b/i;
/** Codes whose meaning is certain, whatever the description says. */
const CERTAIN_CODES = ['invalid_client', 'invalid_grant'];

/** Checks whether a refresh failed for a reason that passes, such as the rate limits of Slack and Zoho. */
const isPassing = ({ error, description }: ReceivedError): boolean =>
  PASSING_CODES.includes(error.toLowerCase()) ||
  (!CERTAIN_CODES.includes(error) && ASKS_TO_WAIT.test(description));

/**
 * Error code for a refused refresh that may mean an ended consent. The service ends the access after several of them.
 */
const CONSENT_DOUBTFUL = 'consent_doubtful';

/** Standard codes that some servers also send for a refresh token that is no longer valid. */
const DOUBTFUL_CODES = ['invalid_request', 'unauthorized_client'];
const NAMES_CONSENT = /\b(?:refresh_?)?tokens?\b|\bgrant\b|\bconsent\b/i;
const IS_OVER =
  /\b(?:invalid|expired|revoked|unknown|inactive|deleted|withdrawn)\b|\bnot (?:valid|found|active|recognized)\b|\bnot exist\b|\bno longer\b|\balready\b/i;
const NAMES_OTHER = /\bclient|\bsecret\b|\bgrant[ _-]?types?\b|\bscopes?\b|\bapp(?:lication)?\b/i;

/** Returns `consent_doubtful` for an error description which says that the consent has ended; otherwise `undefined`. */
export function readDescription(description: string): string | undefined {
  const isOver = NAMES_CONSENT.test(description) && IS_OVER.test(description);
  return isOver && !NAMES_OTHER.test(description) ? CONSENT_DOUBTFUL : undefined;
}

/**
 * Checks whether a refused refresh probably means that the user's consent has ended, although its code does not.
 * Only the description tells then, as in `unauthorized_client` with "refresh_token is invalid".
 */
const isConsentDoubtful = ({ error, description }: ReceivedError): boolean =>
  error === 'access_denied' || (DOUBTFUL_CODES.includes(error) && readDescription(description) !== undefined);

const means = (meaning: keyof ForeignCodes, code: string, own: ForeignCodes | undefined): boolean =>
  COMMON[meaning].includes(code.toLowerCase()) || (own?.[meaning].includes(code) ?? false);

/** Returns the code with which an error description begins, such as `AADSTS65001: The user has not consented`. */
const codeOf = (description: string): string => /^[\w.-]{1,64}(?=:)/.exec(description)?.[0] ?? '';

/** Error code and description of a token response or an OAuth callback. Only codes in the description are read. */
export interface ReceivedError {
  readonly error: string;
  readonly description: string;
}

/**
 * Translates an error code of the token endpoint to its RFC 6749 code, or to `administrator_consent_required`. Returns
 * all other codes unchanged.
 */
export function translateTokenError(
  { error, description }: ReceivedError,
  { isRefresh, own }: { readonly isRefresh: boolean; readonly own: ForeignCodes | undefined },
): string {
  if (CLIENT_REFUSED.includes(error.toLowerCase())) return 'invalid_client';
  if (isRefresh && means('grantOver', error, own)) return 'invalid_grant';
  if (isRefresh && isPassing({ error, description })) return PASSING;
  if (isRefresh) return isConsentDoubtful({ error, description }) ? CONSENT_DOUBTFUL : error;
  const needsAdministrator = [codeOf(description), error].some((code) =>
    means('administratorConsent', code, own),
  );
  return needsAdministrator ? ADMINISTRATOR_CONSENT : error;
}

const CALLBACK_ERRORS = {
  administratorConsent: ADMINISTRATOR_CONSENT,
  refusedByAdministrator: REFUSED_BY_ADMINISTRATOR,
  cancelled: 'access_denied',
  invalidScope: 'invalid_scope',
  clientNotAllowed: 'unauthorized_client',
  temporarilyUnavailable: PASSING,
} as const satisfies Partial<Record<keyof ForeignCodes, string>>;

const MEANINGS = Object.keys(CALLBACK_ERRORS) as (keyof typeof CALLBACK_ERRORS)[];

/**
 * Translates the error of an OAuth callback to an error code of RFC 6749, `refused_by_administrator` or
 * `administrator_consent_required`. A code in the description is more exact than `error`, so it counts first. Returns
 * all other codes unchanged.
 */
export function translateCallbackError(
  { error, description }: ReceivedError,
  own: ForeignCodes | undefined,
): string {
  for (const code of [codeOf(description), error]) {
    const meaning = MEANINGS.find((each) => means(each, code, own));
    if (meaning !== undefined) return CALLBACK_ERRORS[meaning];
  }
  return error;
}
