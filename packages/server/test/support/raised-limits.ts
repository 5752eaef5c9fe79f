/** Settings that raise every limit of rule A9, for tests that call as fast as they can and test something else. */
export const RAISED_LIMITS: Readonly<Record<string, string>> = {
  SVC_RATE_APPLICATION: '1000000',
  SVC_RATE_USER: '1000000',
  SVC_RATE_ACCOUNT: '1000000',
  SVC_RATE_ADDRESS: '1000000',
};

/** Default limits, for the tests of the limits. */
export const DEFAULT_LIMITS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(RAISED_LIMITS).map((name) => [name, '']),
);
