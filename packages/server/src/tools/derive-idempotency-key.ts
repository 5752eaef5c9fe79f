/**
 * Computes an HMAC with a key of the service, as base64url. `purpose` makes digests of one value differ between uses.
 */
type Digest = (purpose: string, value: string) => string;

/** Upstream request of a tool call that may be sent more than once. */
export interface RepeatedRequest {
  readonly applicationId: string;
  readonly accountId: string;
  readonly toolName: string;
  /** Text that is equal for all attempts and repetitions of one tool call. */
  readonly callKey: string;
  /** Number of the upstream request within the tool call, from 0. */
  readonly index: number;
}

/** Writes random bytes in the form of a UUID of version 4 (RFC 9562). */
function toUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(12, 15)}`,
    `8${hex.slice(15, 18)}`,
    hex.slice(18, 30),
  ].join('-');
}

/**
 * Creates the function that derives the idempotency key of an upstream request. The key is an HMAC, so the upstream
 * learns nothing about the Idempotency-Key that the application sent. It has the form of a UUID of version 4, because
 * some upstreams accept no other form.
 */
export function createDeriveIdempotencyKey(digest: Digest) {
  return function deriveIdempotencyKey(request: RepeatedRequest): string {
    const { applicationId, accountId, toolName, callKey, index } = request;
    const text = JSON.stringify([applicationId, accountId, toolName, callKey, index]);
    return toUuid(Buffer.from(digest('idempotency key of an upstream request', text), 'base64url'));
  };
}

export type DeriveIdempotencyKey = ReturnType<typeof createDeriveIdempotencyKey>;
