import type { Random } from '../text/random.js';
import type { Digest } from '../vault/pepper.js';
import { isSigned, signToken } from '../vault/sign-token.js';

const KEY_BYTES = 24;

const purposeOf = (connectionId: string) => `webhook key of ${connectionId}`;

/**
 * Creates the secret key in a subscription's webhook URL: 192 random bits and an HMAC of them. It authenticates
 * upstreams that do not sign their webhooks.
 */
export const newSubscriptionKey = (digest: Digest, connectionId: string, random: Random): string =>
  signToken(digest, purposeOf(connectionId), random(KEY_BYTES).toString('base64url'));

/**
 * Returns true for a key that this service created for the connection, even after the subscription was deleted. False
 * for a key of an earlier version, which has no HMAC.
 */
export const isSubscriptionKey = (digest: Digest, connectionId: string, key: string): boolean =>
  isSigned(digest, purposeOf(connectionId), key);

/** Returns a digest of the secret key in a webhook URL. The database stores the digest instead of the key. */
export const digestOfKey = (digest: Digest, key: string): string => digest('key of a webhook address', key);
