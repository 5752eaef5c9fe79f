import type { Random } from '../random.js';
import type { Digest } from '../vault/pepper.js';

const KEY_BYTES = 24;

/** Creates the key of a subscription's address: 192 random bits. Upstreams without signatures prove themselves by it. */
export const newSubscriptionKey = (random: Random): string => random(KEY_BYTES).toString('base64url');

/** Returns the digest of a key, which the database stores instead of the key. */
export const digestOfKey = (digest: Digest, key: string): string => digest('key of a webhook address', key);
