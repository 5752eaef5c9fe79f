/** Reasons for which the access of an account ended. */
export const ACCOUNT_STATUS_REASONS = [
  'token_expired',
  'token_refused',
  'key_refused',
  'refresh_refused',
  'refresh_outcome_unknown',
  'revoked_by_application',
  'revoked_by_operator',
] as const;
export type AccountStatusReason = (typeof ACCOUNT_STATUS_REASONS)[number];

/** What a revocation achieved at the upstream. */
export const REVOCATION_OUTCOMES = [
  'revoked',
  'no_revocation_endpoint',
  'nothing_to_revoke',
  'failed',
] as const;
export type RevocationOutcome = (typeof REVOCATION_OUTCOMES)[number];

/** Stored reason for which a whole connection does not work. */
export type StoredConnectionReason = 'invalid_client';
/** Shown reasons for which a whole connection does not work. */
export const CONNECTION_STATUS_REASONS = ['invalid_client', 'connector_not_found'] as const;
export type ConnectionStatusReason = (typeof CONNECTION_STATUS_REASONS)[number];
