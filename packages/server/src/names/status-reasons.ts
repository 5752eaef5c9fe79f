/** Why the access of an account ended. */
export const ACCOUNT_STATUS_REASONS = [
  'token_expired',
  'token_refused',
  'refresh_refused',
  'refresh_outcome_unknown',
  'revoked_by_application',
  'revoked_by_operator',
] as const;
export type AccountStatusReason = (typeof ACCOUNT_STATUS_REASONS)[number];

/** What became of an access upstream when it was ended here. */
export const REVOCATION_OUTCOMES = [
  'revoked',
  'no_revocation_endpoint',
  'nothing_to_revoke',
  'failed',
] as const;
export type RevocationOutcome = (typeof REVOCATION_OUTCOMES)[number];

/** Why a connection as a whole does not work, as it is stored. */
export type StoredConnectionReason = 'invalid_client';
/** The same, as it is shown. */
export const CONNECTION_STATUS_REASONS = ['invalid_client', 'connector_not_found'] as const;
export type ConnectionStatusReason = (typeof CONNECTION_STATUS_REASONS)[number];
