/** Makes the next matching requests fail. */
export interface FailNext {
  /** Number of requests that fail. */
  count: number;
  /** HTTP status of the failing responses. */
  status: number;
  /** Response body. Default: the emulated service's own error body for the status. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Number of matching requests that pass before the first failure. Default: 0. */
  after?: number;
  /**
   * Fails only requests with this method and a path with this prefix. Default: every API request, but no OAuth request.
   */
  match?: { method?: string; path?: string };
}

/** Rate limit. Further requests of a window get 429 with a Retry-After header. */
export interface RateLimit {
  requests: number;
  perSeconds: number;
  /** Value of the Retry-After header in seconds. Default: the rest of the window. */
  retryAfterSeconds?: number;
}

/** Faults and limits of one emulated service, which tests can change while the sandbox runs. */
export interface Dials {
  /** Delay before every response, in milliseconds. */
  latencyMs: number;
  /** Share of API requests that fail with status 500. The value 0.25 fails every fourth request. */
  errorRate: number;
  failNext: FailNext | null;
  /**
   * Rate limit per access token. `own` applies the limit of the emulated service, if it has one. Null applies no limit.
   */
  rateLimit: RateLimit | null | 'own';
  /**
   * Lifetime of new access tokens in seconds. Null omits `expires_in`, and the tokens never expire. `default` applies
   * the emulated service's own lifetime.
   */
  tokenLifeSeconds: number | null | 'default';
  /**
   * Age in seconds at which a search first finds a new object. Applies only to services with a delayed search index.
   */
  searchLagSeconds: number;
  /** Quota units that one user may spend per minute, in services with such a quota. Null applies no limit. */
  quotaPerMinute: number | null;
  /** Quota units that one application may spend per day, in services with such a quota. Null applies no limit. */
  quotaPerDay: number | null;
  /**
   * Search calls that one application may make per day, in services with a separate search quota. Null applies no
   * limit.
   */
  searchesPerDay: number | null;
  /** Response format of new MCP sessions: an SSE stream, which can also report progress, or a single JSON document. */
  mcpResponses: 'sse' | 'json';
  /** MCP protocol variant: `initialize` with sessions, or stateless requests as in MCP revision 2026-07-28. */
  mcpSpeaks: 'sessions' | 'stateless';
  /** Version of the tool set, for MCP servers that have several. A change closes the open MCP sessions. */
  toolSet: 'newest' | 'new' | 'old';
}

export const DEFAULT_DIALS: Dials = {
  latencyMs: 0,
  errorRate: 0,
  failNext: null,
  rateLimit: 'own',
  tokenLifeSeconds: 'default',
  searchLagSeconds: 0,
  quotaPerMinute: 600,
  quotaPerDay: 10_000,
  searchesPerDay: 100,
  mcpResponses: 'sse',
  mcpSpeaks: 'sessions',
  toolSet: 'new',
};

const CHECKS: { readonly [Key in keyof Dials]: (value: unknown) => boolean } = {
  latencyMs: isCount,
  errorRate: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  failNext: (value) => value === null || (hasNumber(value, 'count') && hasNumber(value, 'status')),
  rateLimit: (value) =>
    value === null || value === 'own' || (hasNumber(value, 'requests') && hasNumber(value, 'perSeconds')),
  searchLagSeconds: isCount,
  tokenLifeSeconds: (value) => value === null || value === 'default' || (isCount(value) && value > 0),
  quotaPerMinute: (value) => value === null || isCount(value),
  quotaPerDay: (value) => value === null || isCount(value),
  searchesPerDay: (value) => value === null || isCount(value),
  mcpResponses: (value) => value === 'sse' || value === 'json',
  mcpSpeaks: (value) => value === 'sessions' || value === 'stateless',
  toolSet: (value) => value === 'newest' || value === 'new' || value === 'old',
};

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function hasNumber(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && isCount(Reflect.get(value, key));
}

export function setDials(dials: Dials, changes: Partial<Dials>): Dials {
  for (const [name, value] of Object.entries(changes)) {
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name as keyof Dials] : undefined;
    if (check === undefined)
      throw new Error(`The dial "${name}" does not exist. Use one of: ${Object.keys(CHECKS).join(', ')}.`);
    if (!check(value))
      throw new Error(
        `The dial "${name}" does not accept the value ${JSON.stringify(value)}. The README of @svc/sandbox describes the values of each dial.`,
      );
  }
  return { ...dials, ...changes };
}
