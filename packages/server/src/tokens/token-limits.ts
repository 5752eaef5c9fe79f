import { type ArgumentLimit, argumentsAllow, isArgumentLimits } from './argument-limits.js';
import { isProxyLimits, isReading, type Proxied, type ProxyLimit, proxyAllows } from './proxy-limits.js';

/** Calls that need a person's approval: all, those of destructive tools, none, or those of the listed tools. */
export type ApprovalLimit = 'always' | 'destructive' | 'never' | readonly string[];

/**
 * Limits of one link of a token. Each limit narrows and none widens: an absent one does not limit, and all links must allow a
 * use. The list is closed: a token with any other limit is refused.
 */
export interface TokenLimits {
  /** Identifier of the user: no accounts of other users. */
  readonly identifier?: string;
  /** Names of connections whose accounts the token may use. Default: all. */
  readonly connections?: readonly string[];
  /** Ids of connected accounts: no other accounts. */
  readonly accounts?: readonly string[];
  /** Names of tools: no other tools, and no proxied requests unless `proxy` allows them. */
  readonly tools?: readonly string[];
  /**
   * Conditions for values, by tool and by path into its input, such as `start.date_time`. A path through a list means all of
   * its items. A missing value is refused. Other tools are not limited; the proxy is closed unless `proxy` opens it.
   */
  readonly arguments?: Readonly<Record<string, Readonly<Record<string, ArgumentLimit>>>>;
  /** Allowed requests through the proxy. An empty list allows none. */
  readonly proxy?: readonly ProxyLimit[];
  /** Allows only tools that are marked as reading, and GET and HEAD through the proxy. */
  readonly readOnly?: true;
  /** Expiry in epoch seconds. */
  readonly expiresAt?: number;
  /** Number of tool calls and proxied requests, counted together for all tokens that were made from this link. */
  readonly maxCalls?: number;
  /** URL of the service or of an entry point, such as `…/v1` or `…/mcp/calendar`. Allows it and all below it. */
  readonly audience?: string;
  /** Calls that need a person's approval. A list of tools closes the proxy unless `proxy` opens it. */
  readonly approve?: ApprovalLimit;
}

export type LimitName = keyof TokenLimits;

/** A use of a token, with everything that limits check. */
export interface TokenUse {
  /** Epoch milliseconds. */
  readonly at: number;
  /** URL of the entry point that got the token. */
  readonly audience: string;
  readonly account: { readonly id: string; readonly connectionName: string; readonly identifier: string };
  /** Present for a tool call. */
  readonly tool?: UsedTool & { readonly input: unknown };
  /** Present for a proxied request. */
  readonly proxied?: Proxied;
}

export interface UsedTool {
  readonly name: string;
  readonly hints: { readonly readOnly: boolean; readonly destructive: boolean };
}

interface Rule<Limit> {
  readonly isLimit: (value: unknown) => boolean;
  /** True if a link with this limit allows the use. */
  readonly allows: (limit: Limit, use: TokenUse, link: TokenLimits) => boolean;
  /** Rest of the message after "The token". */
  readonly refusal: string;
}

type Rules = { readonly [Name in LimitName]: Rule<NonNullable<TokenLimits[Name]>> };

const MOST_NAMES = 200;
const MOST_CHARACTERS = 256;
const MOST_CALLS = 1_000_000_000;

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MOST_CHARACTERS;
const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= MOST_NAMES && value.every(isName);
const isCount = (value: unknown, most: number): boolean =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most;

/** Refuses proxied requests for limits of tools unless `proxy` is set: the proxy could bypass the tools. */
const allowsProxyBeside = ({ proxied }: TokenUse, { proxy }: TokenLimits): boolean =>
  proxied === undefined || proxy !== undefined;

const isBelow = (url: string, audience: string): boolean =>
  url === audience || url.startsWith(audience.endsWith('/') ? audience : `${audience}/`);

const RULES: Rules = {
  identifier: {
    isLimit: isName,
    allows: (identifier, { account }) => account.identifier === identifier,
    refusal: 'is for another user',
  },
  connections: {
    isLimit: isNames,
    allows: (names, { account }) => names.includes(account.connectionName),
    refusal: 'is not for this connection',
  },
  accounts: {
    isLimit: isNames,
    allows: (ids, { account }) => ids.includes(account.id),
    refusal: 'is not for this account',
  },
  tools: {
    isLimit: isNames,
    allows: (names, use, link) =>
      allowsProxyBeside(use, link) && (use.tool === undefined || names.includes(use.tool.name)),
    refusal: 'does not allow this tool, and the proxy only where it says so',
  },
  arguments: {
    isLimit: isArgumentLimits,
    allows: (limits, use, link) =>
      allowsProxyBeside(use, link) &&
      (use.tool === undefined || argumentsAllow(limits, use.tool.name, use.tool.input)),
    refusal: 'does not allow these arguments, and the proxy only where it says so',
  },
  proxy: {
    isLimit: isProxyLimits,
    allows: (limits, { proxied }) => proxied === undefined || proxyAllows(limits, proxied),
    refusal: 'does not allow this method and path through the proxy, nor a batch where it names methods',
  },
  readOnly: {
    isLimit: (value) => value === true,
    allows: (_, { tool, proxied }) =>
      (tool === undefined || tool.hints.readOnly) && (proxied === undefined || isReading(proxied)),
    refusal: 'only reads: it allows tools that do, and GET and HEAD through the proxy',
  },
  expiresAt: {
    isLimit: (value) => isCount(value, Number.MAX_SAFE_INTEGER),
    allows: (seconds, { at }) => at < seconds * 1000,
    refusal: 'has expired',
  },
  maxCalls: {
    isLimit: (value) => isCount(value, MOST_CALLS),
    // TokenUses counts calls in the database. A batch is refused, because its requests are not counted.
    allows: (_, { proxied }) => proxied?.isBatch !== true,
    refusal: 'has no calls left, and none for a batch, which would be many',
  },
  audience: {
    isLimit: isName,
    allows: (audience, use) => isBelow(use.audience, audience),
    refusal: 'is for another audience',
  },
  approve: {
    isLimit: (value) => value === 'always' || value === 'destructive' || value === 'never' || isNames(value),
    allows: (approve, use, link) => !Array.isArray(approve) || allowsProxyBeside(use, link),
    refusal: 'wants approvals by tool, and the proxy only where it says so',
  },
};

const NAMES = Object.keys(RULES) as readonly LimitName[];

/** True for an object of known, valid limits. An unknown or invalid limit makes it false. */
export function isTokenLimits(value: unknown): value is TokenLimits {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(
    ([name, limit]) => Object.hasOwn(RULES, name) && RULES[name as LimitName].isLimit(limit),
  );
}

function refuses<Name extends LimitName>(name: Name, link: TokenLimits, use: TokenUse): boolean {
  const limit = link[name];
  const rule: Rule<NonNullable<TokenLimits[Name]>> = RULES[name];
  return limit !== undefined && limit !== null && !rule.allows(limit, use, link);
}

/** A limit that refused a use. */
export interface BrokenLimit {
  readonly limit: LimitName;
  /** Complete sentence. */
  readonly message: string;
}

export const broken = (limit: LimitName): BrokenLimit => ({
  limit,
  message: `The token ${RULES[limit].refusal}.`,
});

function findAmong(names: readonly LimitName[], chain: readonly TokenLimits[], use: TokenUse) {
  for (const link of chain) for (const name of names) if (refuses(name, link, use)) return broken(name);
  return undefined;
}

/** Finds the first limit of a chain that refuses a use. Does not count calls and does not check approvals. */
export const findBrokenLimit = (chain: readonly TokenLimits[], use: TokenUse): BrokenLimit | undefined =>
  findAmong(NAMES, chain, use);

const NAME_LIMITS: readonly LimitName[] = ['expiresAt', 'audience', 'identifier', 'connections'];
const TOOL_LIMITS: readonly LimitName[] = ['expiresAt', 'audience', 'tools', 'readOnly'];
const NO_ACCOUNT = { id: '', connectionName: '', identifier: '' };

/** Checks the limits that need no account id, before the account is read. */
export const findBrokenByName = (
  chain: readonly TokenLimits[],
  { at, audience, ...name }: Pick<TokenUse, 'at' | 'audience'> & Omit<TokenUse['account'], 'id'>,
): BrokenLimit | undefined =>
  findAmong(NAME_LIMITS, chain, { at, audience, account: { ...NO_ACCOUNT, ...name } });

/** True if the limits may allow a call of the tool, with some account and some arguments. */
export const offersTool = (
  chain: readonly TokenLimits[],
  { at, audience, tool }: Pick<TokenUse, 'at' | 'audience'> & { readonly tool: UsedTool },
): boolean =>
  findAmong(TOOL_LIMITS, chain, {
    at,
    audience,
    account: NO_ACCOUNT,
    tool: { ...tool, input: undefined },
  }) === undefined;

/** True if the use needs a person's approval. */
export const needsApproval = (chain: readonly TokenLimits[], { tool, proxied }: TokenUse): boolean =>
  chain.some(({ approve }) => {
    if (approve === 'always') return tool !== undefined || proxied !== undefined;
    if (approve === 'destructive')
      return tool?.hints.destructive === true || (proxied !== undefined && !isReading(proxied));
    return Array.isArray(approve) && tool !== undefined && approve.includes(tool.name);
  });

/** Expiry of a chain in epoch seconds: the earliest expiry of its links. */
export const expiryOf = (chain: readonly TokenLimits[]): number =>
  Math.min(...chain.map(({ expiresAt = Number.MAX_SAFE_INTEGER }) => expiresAt));

/** Identifier of the user that a token is limited to. */
export const identifierOf = (links: readonly TokenLimits[]): string | undefined =>
  links.find(({ identifier }) => identifier !== undefined)?.identifier;
