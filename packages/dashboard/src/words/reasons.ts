/** Texts for failures in which no connection was made, so that the request did not reach the upstream. */
export const UNREACHED: Readonly<Record<string, string>> = {
  refused: 'the upstream refused the connection',
  unknown_host: 'the host of the upstream is unknown',
  tls: 'no secure connection was made',
  egress_proxy: 'the egress proxy failed',
  blocked_address:
    'the address of the upstream is not public, and SVC_ALLOWED_ORIGINS does not allow its origin',
  unlisted_origin:
    'the URL of the upstream is not https on port 443, and SVC_ALLOWED_ORIGINS does not allow its origin',
  not_sent: 'the request contained a character that HTTP does not allow',
};

/** Texts for the reasons why a request got no response. */
export const FAILURES: Readonly<Record<string, string>> = {
  ...UNREACHED,
  timeout: 'the upstream did not respond in time',
  closed: 'the connection broke before a response arrived',
  invalid_response: 'the response was not valid HTTP',
  headers_too_large: 'the headers of the response were too large',
  aborted: 'the caller disconnected',
};

/** Texts for the limits of a token that refuse a call. */
const TOKEN_LIMITS: Readonly<Record<string, string>> = {
  tools: 'The token does not allow this tool.',
  readOnly: 'The token allows only tools and requests that read.',
  proxy: 'The token does not allow this proxied request.',
  arguments: 'The token does not allow these input values.',
  connections: 'The token does not allow this connection.',
  accounts: 'The token does not allow this account.',
  account: 'The token does not allow an account with this label.',
  identifier: 'The token is for a different user.',
  maxCalls: 'The token allows no more calls, or no batch requests.',
  audience: 'The token is not valid for this URL.',
  expiresAt: 'The token has expired.',
  approve: 'The token requires an approval, which a proxied request cannot get.',
};

/** Texts for reasons that mean something else with other error codes, by error code. */
const BY_CODE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  internal_error: { secret_unreadable: 'The service cannot decrypt a stored secret of the account.' },
  not_permitted: TOKEN_LIMITS,
  tool_not_found: TOKEN_LIMITS,
  rate_limited: {
    application: 'The rate limit of the application was reached.',
    account: 'The rate limit of the account was reached.',
    user: 'The rate limit of the user was reached.',
    address: 'The rate limit of the IP address was reached.',
    approvals: 'Too many calls were already waiting for approval.',
    waiting: 'Too many requests were already waiting for events.',
  },
};

const REASONS: Readonly<Record<string, string>> = {
  circuit_breaker: 'The circuit breaker was open, because the upstream did not respond to earlier calls.',
  queue: 'Too many calls were in progress.',
  refresh: 'The access token could not be refreshed.',
  storage: 'The database of the service was unavailable.',
  memory: 'The application had used its share of the memory for responses.',
  key_service: 'The key service could not be reached.',
  input_rejected: 'The upstream rejected the input.',
  call_rejected: 'The upstream rejected the call.',
  outcome_unknown: 'An earlier attempt of the call may have taken effect at the upstream.',
  application_not_configured: 'A setting of the application is missing or wrong.',
  no_connection: 'The application has no connection for this tool that the token allows.',
  other_connector: 'The URL of the MCP endpoint names a different connector.',
  unauthorized: 'The user has not given consent yet.',
  pending_verification: 'The application has not confirmed the user yet.',
  token_expired: 'The access token expired, and there was no refresh token.',
  token_refused: 'The upstream rejected the access token.',
  key_refused: 'The upstream rejected the key.',
  refresh_refused: 'The upstream rejected the refresh token.',
  refresh_outcome_unknown: 'A token refresh was interrupted, and the previous token no longer works.',
  revoked_by_application: 'The application revoked the access.',
  revoked_by_operator: 'An operator revoked the access.',
  denied: 'A person denied the call.',
  expired: 'Nobody decided in time.',
  changed: 'Somebody had changed the object after the caller read it.',
  interrupted: 'The approved call was interrupted, because an instance of the service stopped.',
  client_unknown: 'The MCP client, or its redirect URI, is unknown.',
  client_deleted: 'The MCP client was deleted.',
  client_away: 'The document that describes the MCP client could not be loaded.',
  invalid_grant: 'The authorization code or token is unknown, expired or already used.',
  invalid_client_metadata: 'The MCP client sent invalid data about itself.',
  invalid_redirect_uri: 'The MCP client sent a redirect URI that is not allowed.',
  invalid_scope: 'A requested permission does not exist, or exceeds the access that the user granted.',
  invalid_target: 'The token was requested for a URL that the access does not include.',
  unsupported_grant_type: 'The grant type of the request is missing or not supported.',
  cancelled: 'The user did not consent.',
  refused_by_administrator: 'An administrator of the user does not allow the connection.',
  administrator_consent_required: 'An administrator of the user must consent first.',
  unauthorized_client: 'The upstream does not allow the OAuth client of the connection.',
  client_refused: 'The upstream rejected the OAuth client of the connection.',
  temporarily_unavailable: 'The upstream had a temporary failure.',
  upstream_refused: 'The upstream rejected the consent.',
  upstream_unavailable: 'The upstream did not respond.',
  upstream_unusable: 'The service cannot use the response of the upstream.',
  connection_changed: 'The connection was changed during the consent.',
  other_browser: 'The consent began in a different browser.',
  other_site: 'The request came from a different website.',
  no_cookie: 'The browser sent no cookie.',
  other_subject: 'The user consented with a different account than before.',
  other_identifier: 'The application confirmed a different user.',
  not_verified: 'The application did not confirm the user in time.',
  keys_refused: 'The upstream rejected too many keys.',
  link_unknown: 'The link does not exist.',
  gone: 'The endpoint responded with status 410.',
  failing: 'All delivery attempts failed for five days.',
  secret_unreadable: 'The service cannot decrypt the signing secret.',
  link_expired: 'The link has expired.',
  link_used_before: 'The link was already used.',
  approval: 'Calls through the connection need an approval, which a proxied request cannot get.',
  approval_over: 'The consent or sign-in has expired, or never existed.',
  used_before: 'The consent or sign-in was already completed.',
  not_pending: 'No consent was waiting for this confirmation.',
  administrator_returned: 'The consent of an administrator does not connect an account by itself.',
  other_application: 'The consent belongs to a different application.',
  other_connection: 'The consent belongs to a different connection.',
  other_site_decided: 'The decision came from a different website.',
  has_accounts: 'The connection has accounts, whose credentials belong to its current URLs.',
  client_secret_needed: 'The stored client secret belongs to the previous client ID or URLs.',
  invalid_client: 'The upstream rejected the OAuth client of the connection.',
  pkce_not_announced: 'The authorization server does not announce PKCE.',
  token_unproven: 'The upstream has no request that verifies an access token.',
};

const find = (texts: Readonly<Record<string, string>> | undefined, reason: string): string | undefined =>
  texts !== undefined && Object.hasOwn(texts, reason) ? texts[reason] : undefined;

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Describes the reason of a failure. A reason that this dashboard does not know is returned unchanged. */
export function reasonWords(reason: string, errorCode = ''): string {
  const ofCode = Object.hasOwn(BY_CODE, errorCode) ? BY_CODE[errorCode] : undefined;
  const failure = errorCode === 'connection_failed' ? find(FAILURES, reason) : undefined;
  return find(ofCode, reason) ?? (failure && sentence(failure)) ?? find(REASONS, reason) ?? reason;
}
