/** Settings that raise every rate limit of rule A9, for tests that send many requests and test something else. */
export const RAISED_LIMITS: Readonly<Record<string, string>> = {
  SVC_RATE_APPLICATION: '1000000',
  SVC_RATE_USER: '1000000',
  SVC_RATE_ACCOUNT: '1000000',
  SVC_RATE_ADDRESS: '1000000',
};

/** Resets every raised limit to its default, for tests of the rate limits. */
export const DEFAULT_LIMITS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(RAISED_LIMITS).map((name) => [name, '']),
);
