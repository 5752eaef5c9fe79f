interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /**
   * Column whose value identifies the row of a ciphertext. The value is bound to the ciphertext as associated data, so
   * that nobody can move the ciphertext to another row.
   */
  readonly rowKey: string;
  /** Content of the encrypted column. `one`: a ciphertext. `named`: a JSON object of ciphertexts by name. */
  readonly holds: 'one' | 'named';
}

/**
 * All database columns that contain ciphertext. The type `SecretLocation` is derived from this array, so code with a
 * new encrypted column does not compile until the column is listed here. Key rotation encrypts all listed columns
 * again.
 */
export const SEALED_COLUMNS = [
  { table: 'connections', column: 'client_secret', rowKey: 'id', holds: 'one' },
  { table: 'client_registrations', column: 'response', rowKey: 'id', holds: 'one' },
  { table: 'accounts', column: 'access_token', rowKey: 'id', holds: 'one' },
  { table: 'accounts', column: 'refresh_token', rowKey: 'id', holds: 'one' },
  { table: 'accounts', column: 'credentials', rowKey: 'id', holds: 'named' },
  { table: 'authorization_flows', column: 'code_verifier', rowKey: 'id', holds: 'one' },
  { table: 'pending_approvals', column: 'tokens', rowKey: 'id', holds: 'one' },
  { table: 'agent_accesses', column: 'client_secret', rowKey: 'id', holds: 'one' },
  { table: 'idempotency_keys', column: 'response', rowKey: 'run_id', holds: 'one' },
  { table: 'call_approvals', column: 'question', rowKey: 'id', holds: 'one' },
  { table: 'call_approvals', column: 'reason', rowKey: 'id', holds: 'one' },
  { table: 'call_approvals', column: 'result', rowKey: 'id', holds: 'one' },
  { table: 'webhook_endpoints', column: 'secret', rowKey: 'id', holds: 'one' },
  { table: 'webhook_endpoints', column: 'previous_secret', rowKey: 'id', holds: 'one' },
  { table: 'events', column: 'payload', rowKey: 'id', holds: 'one' },
  { table: 'watches', column: 'input', rowKey: 'id', holds: 'one' },
  { table: 'watches', column: 'cursor', rowKey: 'id', holds: 'one' },
] as const satisfies readonly SealedColumn[];

export type SealedColumnName = (typeof SEALED_COLUMNS)[number];
