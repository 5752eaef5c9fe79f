import type { Random } from '../text/random.js';
import type { Digest } from '../vault/pepper.js';

const KEY_BYTES = 24;

/**
 * Creates the secret key in a subscription's webhook URL: 192 random bits. It authenticates upstreams that do not sign
 * their webhooks.
 */
export const newSubscriptionKey = (random: Random): string => random(KEY_BYTES).toString('base64url');

/** Returns a digest of the secret key in a webhook URL. The database stores the digest instead of the key. */
export const digestOfKey = (digest: Digest, key: string): string => digest('key of a webhook address', key);
