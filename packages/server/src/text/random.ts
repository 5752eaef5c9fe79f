/**
 * Returns the given number of random bytes. Code that creates ids or secrets takes it as a parameter, so that tests can
 * control the bytes.
 */
export type Random = (bytes: number) => Buffer;

const POOL_BYTES = 4096;

/** Buffers random bytes, 4 KiB at a time, because each system call for them takes microseconds. */
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

/** Creates an id from a prefix and 96 random bits, such as `acct_3f…`. */
export const newId = (prefix: string, random: Random): string => `${prefix}_${random(12).toString('hex')}`;

/**
 * Creates a function that returns ids with one prefix: 48 bits of epoch milliseconds, then 48 random bits. Ids that
 * sort by time make the index of a large table cheap to write.
 */
export function createIds(prefix: string, random: Random): () => string {
  const drawn = pooled(random);
  return () => `${prefix}_${Date.now().toString(16).padStart(12, '0')}${drawn(6).toString('hex')}`;
}

/** Creates a secret token of 256 random bits that is safe in a URL, header or cookie. */
export const newToken = (random: Random): string => random(32).toString('base64url');
