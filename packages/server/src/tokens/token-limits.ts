import { type ArgumentLimit, argumentsAllow, isArgumentLimits } from './argument-limits.js';
import { isProxyLimits, isReading, type Proxied, type ProxyLimit, proxyAllows } from './proxy-limits.js';

/**
 * Calls that need a person's approval: all calls, calls of destructive tools, no calls, or calls of the listed tools.
 */
export type ApprovalLimit = 'always' | 'destructive' | 'never' | readonly string[];

/**
 * One set of limits (a link) of a narrowed token. A token can have several links, and a use must satisfy all of them.
 * Each limit only restricts, and an absent limit allows everything. A token with an unknown limit is refused.
 */
export interface TokenLimits {
  /** Identifier of the only user whose connected accounts the token may use. */
  readonly identifier?: string;
  /**
   * Label of the only account of the user that the token may use on each connection. Empty text: only accounts without
   * a label.
   */
  readonly account?: string;
  /** Names of the connections whose connected accounts the token may use. Default: all connections. */
  readonly connections?: readonly string[];
  /** Ids of the only connected accounts that the token may use. */
  readonly accounts?: readonly string[];
  /** Names of the only tools that the token may call. Proxied requests are refused unless `proxy` allows them. */
  readonly tools?: readonly string[];
  /**
   * Conditions for input values, by tool name and by path in the tool input, such as `start.date_time`. A path through
   * a list applies to all items. A missing value is refused. Tools without conditions are not limited. Proxied requests
   * are refused unless `proxy` allows them.
   */
  readonly arguments?: Readonly<Record<string, Readonly<Record<string, ArgumentLimit>>>>;
  /** Requests that the token may send through the proxy. An empty list allows none. */
  readonly proxy?: readonly ProxyLimit[];
  /** If true, allows only tools that are marked as read-only, and only GET and HEAD through the proxy. */
  readonly readOnly?: true;
  /** Expiry of the token in epoch seconds. */
  readonly expiresAt?: number;
  /**
   * Maximum number of tool calls and proxied requests. The token with this limit and all tokens that are derived from
   * it share the number.
   */
  readonly maxCalls?: number;
  /**
   * URL of the service or of one of its endpoints, such as `…/v1` or `…/mcp/calendar`. The token works only at this URL
   * and below it.
   */
  readonly audience?: string;
  /**
   * Calls that need a person's approval. If this is a list of tools, proxied requests are refused unless `proxy` allows
   * them.
   */
  readonly approve?: ApprovalLimit;
}

export type LimitName = keyof TokenLimits;

/** Use of a token, with all values that its limits check. */
export interface TokenUse {
  /** Time of the use in epoch milliseconds. */
  readonly at: number;
  /** URL of the endpoint at which the client presented the token. */
  readonly audience: string;
  readonly account: {
    readonly id: string;
    readonly connectionName: string;
    readonly identifier: string;
    /** Label of the account. Absent or empty without a label. */
    readonly account?: string | undefined;
  };
  /** Called tool. Absent for a proxied request. */
  readonly tool?: UsedTool & { readonly input: unknown };
  /** Proxied request. Absent for a tool call. */
  readonly proxied?: Proxied;
}

export interface UsedTool {
  readonly name: string;
  readonly hints: { readonly readOnly: boolean; readonly destructive: boolean };
}

interface Rule<Limit> {
  readonly isLimit: (value: unknown) => boolean;
  /** Returns true if the limit allows this use of the token. `link`: the set of limits that contains the limit. */
  readonly allows: (limit: Limit, use: TokenUse, link: TokenLimits) => boolean;
  /**
   * Reason why the limit refuses a use, for the error message. It continues a sentence that begins with "The token".
   */
  readonly refusal: string;
  /** Reason why the limit refuses a proxied request. Default: `refusal`. */
  readonly proxyRefusal?: string;
  /** Reason why the limit refuses a proxied batch request. Default: `proxyRefusal`. */
  readonly batchRefusal?: string;
}

type Rules = { readonly [Name in LimitName]: Rule<NonNullable<TokenLimits[Name]>> };

const MAX_NAMES = 200;
const MAX_CHARACTERS = 256;
const MAX_CALLS = 1_000_000_000;

const NO_PROXY = 'but not the limit "proxy", so it allows no proxied requests';

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_CHARACTERS;
const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= MAX_NAMES && value.every(isName);
const isCount = (value: unknown, most: number): boolean =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most;

/**
 * Returns false for a proxied request if the set of limits (link) has no `proxy` limit. Used by tool limits, which a
 * proxied request could otherwise bypass.
 */
const allowsProxy = ({ proxied }: TokenUse, { proxy }: TokenLimits): boolean =>
  proxied === undefined || proxy !== undefined;

const isBelow = (url: string, audience: string): boolean =>
  url === audience || url.startsWith(audience.endsWith('/') ? audience : `${audience}/`);

const RULES: Rules = {
  identifier: {
    isLimit: isName,
    allows: (identifier, { account }) => account.identifier === identifier,
    refusal: 'is for another user than the one that the request names',
  },
  account: {
    isLimit: (value) => value === '' || isName(value),
    allows: (label, { account }) => (account.account ?? '') === label,
    refusal: 'does not allow an account with this label',
  },
  connections: {
    isLimit: isNames,
    allows: (names, { account }) => names.includes(account.connectionName),
    refusal: 'does not allow this connection',
  },
  accounts: {
    isLimit: isNames,
    allows: (ids, { account }) => ids.includes(account.id),
    refusal: 'does not allow this account',
  },
  tools: {
    isLimit: isNames,
    allows: (names, use, link) =>
      allowsProxy(use, link) && (use.tool === undefined || names.includes(use.tool.name)),
    refusal: 'allows only the tools in its limit "tools"',
    proxyRefusal: `has the limit "tools" ${NO_PROXY}`,
  },
  arguments: {
    isLimit: isArgumentLimits,
    allows: (limits, use, link) =>
      allowsProxy(use, link) &&
      (use.tool === undefined || argumentsAllow(limits, use.tool.name, use.tool.input)),
    refusal: 'allows only the input values in its limit "arguments"',
    proxyRefusal: `has the limit "arguments" ${NO_PROXY}`,
  },
  proxy: {
    isLimit: isProxyLimits,
    allows: (limits, { proxied }) => proxied === undefined || proxyAllows(limits, proxied),
    refusal: 'does not list the method and path of this request in its limit "proxy"',
    batchRefusal: 'allows a batch request only on a path that its limit "proxy" lists without "methods"',
  },
  readOnly: {
    isLimit: (value) => value === true,
    allows: (_, { tool, proxied }) =>
      (tool === undefined || tool.hints.readOnly) && (proxied === undefined || isReading(proxied)),
    refusal: 'is read-only: it allows only tools that read, and GET and HEAD through the proxy',
  },
  expiresAt: {
    isLimit: (value) => isCount(value, Number.MAX_SAFE_INTEGER),
    allows: (seconds, { at }) => at < seconds * 1000,
    refusal: 'has expired',
  },
  maxCalls: {
    isLimit: (value) => isCount(value, MAX_CALLS),
    // The limit `maxCalls` is checked in token-uses.ts, which counts calls in the database. A batch is refused here,
    // because the requests inside it are not counted.
    allows: (_, { proxied }) => proxied?.isBatch !== true,
    refusal: 'has a limit "maxCalls", so it allows no batch requests',
  },
  audience: {
    isLimit: isName,
    allows: (audience, use) => isBelow(use.audience, audience),
    refusal: 'is not valid for this URL, because its limit "audience" allows only other URLs',
  },
  approve: {
    isLimit: (value) => value === 'always' || value === 'destructive' || value === 'never' || isNames(value),
    allows: (approve, use, link) => !Array.isArray(approve) || allowsProxy(use, link),
    refusal: 'requires approval for some tools and has no limit "proxy", so it allows no proxied requests',
  },
};

const NAMES = Object.keys(RULES) as readonly LimitName[];

/** Returns the name of the first limit that is unknown or has an invalid value. */
export const findInvalidLimit = (limits: object): string | undefined =>
  Object.entries(limits).find(
    ([name, limit]) => !Object.hasOwn(RULES, name) || !RULES[name as LimitName].isLimit(limit),
  )?.[0];

/** Returns true if the value is an object that contains only known, valid limits. */
export function isTokenLimits(value: unknown): value is TokenLimits {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return findInvalidLimit(value) === undefined;
}

function refuses<Name extends LimitName>(name: Name, link: TokenLimits, use: TokenUse): boolean {
  const limit = link[name];
  const rule: Rule<NonNullable<TokenLimits[Name]>> = RULES[name];
  return limit !== undefined && limit !== null && !rule.allows(limit, use, link);
}

/** Limit that refused a use of the token. */
export interface BrokenLimit {
  readonly limit: LimitName;
  /** Error message: a complete sentence that says what the token does not allow. */
  readonly message: string;
}

function broken(limit: LimitName, { proxied }: TokenUse): BrokenLimit {
  const { refusal, proxyRefusal = refusal, batchRefusal = proxyRefusal } = RULES[limit];
  const ofProxy = proxied?.isBatch ? batchRefusal : proxyRefusal;
  return { limit, message: `The token ${proxied ? ofProxy : refusal}.` };
}

function findAmong(names: readonly LimitName[], chain: readonly TokenLimits[], use: TokenUse) {
  for (const link of chain) for (const name of names) if (refuses(name, link, use)) return broken(name, use);
  return undefined;
}

/**
 * Returns the first limit of a narrowed token that refuses a use. `chain`: all sets of limits of the token. Call counts
 * and approvals are checked elsewhere.
 */
export const findBrokenLimit = (chain: readonly TokenLimits[], use: TokenUse): BrokenLimit | undefined =>
  findAmong(NAMES, chain, use);

const NAME_LIMITS: readonly LimitName[] = ['expiresAt', 'audience', 'identifier', 'account', 'connections'];
const TOOL_LIMITS: readonly LimitName[] = ['expiresAt', 'audience', 'tools', 'readOnly'];
const NO_ACCOUNT = { id: '', connectionName: '', identifier: '' };

/**
 * Returns the first limit that refuses a use, among the limits that need no account id: expiry, audience, user, label
 * and connection. The service calls this before it reads the connected account.
 */
export const findBrokenByName = (
  chain: readonly TokenLimits[],
  { at, audience, ...name }: Pick<TokenUse, 'at' | 'audience'> & Omit<TokenUse['account'], 'id'>,
): BrokenLimit | undefined =>
  findAmong(NAME_LIMITS, chain, { at, audience, account: { ...NO_ACCOUNT, ...name } });

/** Returns the first limit that refuses every call of the tool, with any connected account and any input. */
export const findBrokenByTool = (
  chain: readonly TokenLimits[],
  { at, audience, tool }: Pick<TokenUse, 'at' | 'audience'> & { readonly tool: UsedTool },
): BrokenLimit | undefined =>
  findAmong(TOOL_LIMITS, chain, {
    at,
    audience,
    account: NO_ACCOUNT,
    tool: { ...tool, input: undefined },
  });

/** Returns true if the limits can allow a call of the tool, with some connected account and some input. */
export const offersTool = (...args: Parameters<typeof findBrokenByTool>): boolean =>
  findBrokenByTool(...args) === undefined;

/** Returns true if the token's limits require a person's approval for this use. */
export const limitsNeedApproval = (chain: readonly TokenLimits[], { tool, proxied }: TokenUse): boolean =>
  chain.some(({ approve }) => {
    if (approve === 'always') return tool !== undefined || proxied !== undefined;
    if (approve === 'destructive')
      return tool?.hints.destructive === true || (proxied !== undefined && !isReading(proxied));
    return Array.isArray(approve) && tool !== undefined && approve.includes(tool.name);
  });

/** Returns the earliest expiry among all sets of limits of a narrowed token, in epoch seconds. */
export const expiryOf = (chain: readonly TokenLimits[]): number =>
  Math.min(...chain.map(({ expiresAt = Number.MAX_SAFE_INTEGER }) => expiresAt));

/**
 * Returns the identifier of the user to whom the token is limited. Returns `undefined` if it is not limited to a user.
 */
export const identifierOf = (links: readonly TokenLimits[]): string | undefined =>
  links.find(({ identifier }) => identifier !== undefined)?.identifier;

/** Returns the label to which the token is limited. Returns `undefined` if it may use accounts with any label. */
export const labelOf = (links: readonly TokenLimits[]): string | undefined =>
  links.find(({ account }) => account !== undefined)?.account;
