/** Random bytes. A parameter of everything that makes ids or secrets, so that tests can name them. */
export type Random = (bytes: number) => Buffer;

const POOL_BYTES = 4096;

/** The same bytes, drawn many at a time: asking the system takes microseconds each time. */
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

/** An id such as `acct_3f…`: 96 random bits in hex. */
export const newId = (prefix: string, random: Random): string => `${prefix}_${random(12).toString('hex')}`;

/** Ids of one kind, by the thousand. */
export function createIds(prefix: string, random: Random): () => string {
  const drawn = pooled(random);
  return () => newId(prefix, drawn);
}

/** 256 random bits for a secret that travels in a URL, a header or a cookie. */
export const newToken = (random: Random): string => random(32).toString('base64url');
