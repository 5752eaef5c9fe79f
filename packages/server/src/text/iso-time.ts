/** Formats epoch milliseconds as an ISO 8601 time in UTC. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();
