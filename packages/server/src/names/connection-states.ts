/** States of a connection, from the worst to the best. A connection has the first one that applies. */
export const CONNECTION_STATES = [
  'not_configured',
  'client_refused',
  'not_answering',
  'overloaded',
  'degraded',
  'refresh_failing',
  'test_failed',
  'not_tested',
  'working',
] as const;
export type ConnectionState = (typeof CONNECTION_STATES)[number];
