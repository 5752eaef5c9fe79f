/** Random bytes. A parameter of everything that makes ids or secrets, so that tests can name them. */
export type Random = (bytes: number) => Buffer;

/** An id such as `acct_3f…`: 96 random bits in hex. */
export const newId = (prefix: string, random: Random): string => `${prefix}_${random(12).toString('hex')}`;

/** 256 random bits for a secret that travels in a URL, a header or a cookie. */
export const newToken = (random: Random): string => random(32).toString('base64url');
