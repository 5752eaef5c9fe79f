/** Reasons why a connected account has lost its access to the upstream. */
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

/** Results of revoking a connected account's token at the upstream. */
export const REVOCATION_OUTCOMES = [
  'revoked',
  'no_revocation_endpoint',
  'nothing_to_revoke',
  'failed',
] as const;
export type RevocationOutcome = (typeof REVOCATION_OUTCOMES)[number];

/** Reason, stored in the database, why no account of a connection works. */
export type StoredConnectionReason = 'invalid_client';
/** Reasons, shown in API responses, why no account of a connection works. */
export const CONNECTION_STATUS_REASONS = ['invalid_client', 'connector_not_found'] as const;
export type ConnectionStatusReason = (typeof CONNECTION_STATUS_REASONS)[number];
