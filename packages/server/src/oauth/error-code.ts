/** Error codes of RFC 6749, 6750, 7009, 7591 and 8707, of OpenID Connect Core, and of foreign-codes.ts. */
const CODES = new Set([
  'access_denied',
  'administrator_consent_required',
  'account_selection_required',
  'consent_required',
  'insufficient_scope',
  'interaction_required',
  'invalid_client',
  'invalid_client_metadata',
  'invalid_grant',
  'invalid_redirect_uri',
  'invalid_request',
  'invalid_request_object',
  'invalid_request_uri',
  'invalid_scope',
  'invalid_software_statement',
  'invalid_target',
  'invalid_token',
  'login_required',
  'refused_by_administrator',
  'registration_not_supported',
  'request_not_supported',
  'request_uri_not_supported',
  'server_error',
  'temporarily_unavailable',
  'unapproved_software_statement',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  'unsupported_token_type',
]);

/**
 * Returns a known error code unchanged, and `other` for any other text, because a server may put a token into its error
 * code.
 */
export const errorCode = (text: string): string => (CODES.has(text) ? text : 'other');
