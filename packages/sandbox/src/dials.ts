/** Makes the next matching requests fail. */
export interface FailNext {
  /** Number of requests that fail. */
  count: number;
  /** The status that they are answered with. */
  status: number;
  /** The body; without one, the upstream's own error body for the status. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Number of matching requests that pass before the first failure. Default: 0. */
  after?: number;
  /** Only requests with this method, and a path that begins so. Without it every API request matches, but no OAuth one. */
  match?: { method?: string; path?: string };
}

/** Answers 429 with Retry-After when more requests than this arrive in a window. */
export interface RateLimit {
  requests: number;
  perSeconds: number;
  /** Value of Retry-After. Default: the rest of the window. */
  retryAfterSeconds?: number;
}

/** Faults and limits that can be set for one upstream. */
export interface Dials {
  /** Waits so long before every answer. */
  latencyMs: number;
  /** The share of API requests that are answered with 500: 0.25 is every fourth. */
  errorRate: number;
  failNext: FailNext | null;
  /** Rate limit of each access token: a limit, `own` for the upstream's own limit, if it has one, or null for none. */
  rateLimit: RateLimit | null | 'own';
  /** Life of new access tokens: seconds, null for no `expires_in` and no end, or the upstream's own. */
  tokenLifeSeconds: number | null | 'default';
  /** Age in seconds that an object must reach before searches find it, in upstreams whose search lags behind. */
  searchLagSeconds: number;
  /** Quota units that one user may spend in a minute, where the upstream has such a quota; null for no limit. */
  quotaPerMinute: number | null;
  /** Quota units that one application may spend in a day, where the upstream has such a quota; null for no limit. */
  quotaPerDay: number | null;
  /** Searches of one application in a day, where they have a budget of their own; null for no limit. */
  searchesPerDay: number | null;
  /** Response form of new MCP sessions: an event stream, which can also report progress, or one JSON document. */
  mcpAnswers: 'sse' | 'json';
  /** MCP dialect: initialize and sessions, or neither, as in revision 2026-07-28. */
  mcpSpeaks: 'sessions' | 'stateless';
  /** Generation of an MCP server's tools, where there are several. A change ends the open sessions. */
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
  mcpAnswers: 'sse',
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
  mcpAnswers: (value) => value === 'sse' || value === 'json',
  mcpSpeaks: (value) => value === 'sessions' || value === 'stateless',
  toolSet: (value) => value === 'newest' || value === 'new' || value === 'old',
};

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function hasNumber(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && isCount(Reflect.get(value, key));
}

export function turn(dials: Dials, changes: Partial<Dials>): Dials {
  for (const [name, value] of Object.entries(changes)) {
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name as keyof Dials] : undefined;
    if (check === undefined)
      throw new Error(`There is no dial "${name}". Dials: ${Object.keys(CHECKS).join(', ')}.`);
    if (!check(value)) throw new Error(`The dial "${name}" does not take ${JSON.stringify(value)}.`);
  }
  return { ...dials, ...changes };
}
