/** Returns random bytes. A parameter of everything that creates ids or secrets, so that tests can choose them. */
export type Random = (bytes: number) => Buffer;

const POOL_BYTES = 4096;

/** Draws random bytes 4 KiB at a time, because each call of the system takes microseconds. */
export function pooled(random: Random): Random {
  let pool: Buffer = Buffer.alloc(0);
  let used = 0;
  return (bytes) => {
    if (bytes > POOL_BYTES) return random(bytes);
    if (pool.length - used < bytes) {
      pool = random(POOL_BYTES);
      used = 0;
    }
    used += bytes;
    return pool.subarray(used - bytes, used);
  };
}

/** Creates an id such as `acct_3f…` from 96 random bits. */
export const newId = (prefix: string, random: Random): string => `${prefix}_${random(12).toString('hex')}`;

/** Creates ids with one prefix, from pooled random bytes. */
export function createIds(prefix: string, random: Random): () => string {
  const drawn = pooled(random);
  return () => newId(prefix, drawn);
}

/** Creates a secret of 256 random bits for a URL, a header or a cookie. */
export const newToken = (random: Random): string => random(32).toString('base64url');
