import type { AuthorizationFlowRow } from '../storage/authorization-rows.js';
import type { Digest } from '../vault/pepper.js';
import type { SecretLocation } from '../vault/vault.js';

/** How long a user may take on the upstream's pages. */
export const FLOW_LIFE_MS = 10 * 60_000;

export const verifierPlace = ({
  applicationId,
  id,
}: Pick<AuthorizationFlowRow, 'applicationId' | 'id'>): SecretLocation => ({
  applicationId,
  table: 'authorization_flows',
  rowId: id,
  column: 'code_verifier',
});

/** State and cookie as they are stored. */
export const flowDigests = (digest: Digest, state: string, { browser }: { readonly browser: string }) => ({
  stateDigest: digest('state', state),
  browserDigest: digest('browser', browser),
});
