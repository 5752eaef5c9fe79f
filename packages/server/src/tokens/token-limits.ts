import { type ArgumentLimit, argumentsAllow, isArgumentLimits } from './argument-limits.js';
import { isProxyLimits, isReading, type Proxied, type ProxyLimit, proxyAllows } from './proxy-limits.js';

/** When a person is asked before a call runs: for each, for those that the tool calls destructive, or for these tools. */
export type ApprovalLimit = 'always' | 'destructive' | 'never' | readonly string[];

/**
 * What one link of a token says it may do. Each limit narrows and none widens: what is absent is not limited by this link,
 * and a use must be allowed by every link. The list is closed: a token with any other word is refused.
 */
export interface TokenLimits {
  /** The user, as the application knows them: accounts of nobody else. */
  readonly identifier?: string;
  /** Names of connections: accounts of no other. */
  readonly connections?: readonly string[];
  /** Ids of connected accounts: no other. */
  readonly accounts?: readonly string[];
  /** Names of tools: no other, and no request through the proxy unless `proxy` says which. */
  readonly tools?: readonly string[];
  /**
   * By tool and by path into its input (`start.date_time`; through a list to each of its items), what a value must be. One
   * that is absent is refused. Tools that are not named are not limited; the proxy is closed unless `proxy` says otherwise.
   */
  readonly arguments?: Readonly<Record<string, Readonly<Record<string, ArgumentLimit>>>>;
  /** Requests through the proxy: what fits one of these and no other, so none where it is empty. */
  readonly proxy?: readonly ProxyLimit[];
  /** Only tools that are marked as reading, and through the proxy only GET and HEAD. */
  readonly readOnly?: true;
  /** Seconds since 1970: no use from then on. */
  readonly expiresAt?: number;
  /** How many calls of tools and requests through the proxy, counted by the service for all tokens made from this link. */
  readonly maxCalls?: number;
  /** The URL of the service, or of one of its doors (`…/v1`, `…/mcp`, `…/mcp/calendar`): this door and those below it alone. */
  readonly audience?: string;
  /** Which calls wait for a person. A list of tools closes the proxy unless `proxy` says otherwise. */
  readonly approve?: ApprovalLimit;
}

export type LimitName = keyof TokenLimits;

/** What a token is used for, as far as its limits are about it. */
export interface TokenUse {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The URL of the door that it came to. */
  readonly audience: string;
  readonly account: { readonly id: string; readonly connectionName: string; readonly identifier: string };
  /** Of a call of a tool. */
  readonly tool?: UsedTool & { readonly input: unknown };
  /** Of a request through the proxy: the canonical path (rule P2), before the connector's routes change it. */
  readonly proxied?: Proxied;
}

export interface UsedTool {
  readonly name: string;
  readonly hints: { readonly readOnly: boolean; readonly destructive: boolean };
}

interface Rule<Limit> {
  readonly isLimit: (value: unknown) => boolean;
  /** Whether a link with this limit allows the use. */
  readonly allows: (limit: Limit, use: TokenUse, link: TokenLimits) => boolean;
  /** How a refusal goes on: "The token …". */
  readonly says: string;
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

/** What names tools says nothing of the proxy, through which the same could be done: it is closed then. */
const allowsProxyBeside = ({ proxied }: TokenUse, { proxy }: TokenLimits): boolean =>
  proxied === undefined || proxy !== undefined;

const isBelow = (url: string, audience: string): boolean =>
  url === audience || url.startsWith(audience.endsWith('/') ? audience : `${audience}/`);

const RULES: Rules = {
  identifier: {
    isLimit: isName,
    allows: (identifier, { account }) => account.identifier === identifier,
    says: 'is for another user',
  },
  connections: {
    isLimit: isNames,
    allows: (names, { account }) => names.includes(account.connectionName),
    says: 'is not for this connection',
  },
  accounts: {
    isLimit: isNames,
    allows: (ids, { account }) => ids.includes(account.id),
    says: 'is not for this account',
  },
  tools: {
    isLimit: isNames,
    allows: (names, use, link) =>
      allowsProxyBeside(use, link) && (use.tool === undefined || names.includes(use.tool.name)),
    says: 'does not allow this tool, and the proxy only where it says so',
  },
  arguments: {
    isLimit: isArgumentLimits,
    allows: (limits, use, link) =>
      allowsProxyBeside(use, link) &&
      (use.tool === undefined || argumentsAllow(limits, use.tool.name, use.tool.input)),
    says: 'does not allow these arguments, and the proxy only where it says so',
  },
  proxy: {
    isLimit: isProxyLimits,
    allows: (limits, { proxied }) => proxied === undefined || proxyAllows(limits, proxied),
    says: 'does not allow this method and path through the proxy, nor a batch where it names methods',
  },
  readOnly: {
    isLimit: (value) => value === true,
    allows: (_, { tool, proxied }) =>
      (tool === undefined || tool.hints.readOnly) && (proxied === undefined || isReading(proxied)),
    says: 'only reads: it allows tools that do, and GET and HEAD through the proxy',
  },
  expiresAt: {
    isLimit: (value) => isCount(value, Number.MAX_SAFE_INTEGER),
    allows: (seconds, { at }) => at < seconds * 1000,
    says: 'has expired',
  },
  maxCalls: {
    isLimit: (value) => isCount(value, MOST_CALLS),
    // Counted where all processes see it; what a batch holds is counted nowhere.
    allows: (_, { proxied }) => proxied?.isBatch !== true,
    says: 'has no calls left, and none for a batch, which would be many',
  },
  audience: {
    isLimit: isName,
    allows: (audience, use) => isBelow(use.audience, audience),
    says: 'is for another audience',
  },
  approve: {
    isLimit: (value) => value === 'always' || value === 'destructive' || value === 'never' || isNames(value),
    allows: (approve, use, link) => !Array.isArray(approve) || allowsProxyBeside(use, link),
    says: 'wants approvals by tool, and the proxy only where it says so',
  },
};

const NAMES = Object.keys(RULES) as readonly LimitName[];

/** Whether a value says limits and nothing else: an unknown word, or a known one that is not as it should be, is none. */
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

/** A limit that does not allow what a token was used for. */
export interface BrokenLimit {
  readonly limit: LimitName;
  /** A sentence. */
  readonly message: string;
}

export const broken = (limit: LimitName): BrokenLimit => ({
  limit,
  message: `The token ${RULES[limit].says}.`,
});

function findAmong(names: readonly LimitName[], chain: readonly TokenLimits[], use: TokenUse) {
  for (const link of chain) for (const name of names) if (refuses(name, link, use)) return broken(name);
  return undefined;
}

/** The first limit of a chain that does not allow a use; calls that are left and approvals are for the service to see to. */
export const findBrokenLimit = (chain: readonly TokenLimits[], use: TokenUse): BrokenLimit | undefined =>
  findAmong(NAMES, chain, use);

const OF_NAMES: readonly LimitName[] = ['expiresAt', 'audience', 'identifier', 'connections'];
const OF_TOOLS: readonly LimitName[] = ['expiresAt', 'audience', 'tools', 'readOnly'];
const NO_ACCOUNT = { id: '', connectionName: '', identifier: '' };

/** The same before an account is looked up: of what is known by its name. */
export const findBrokenByName = (
  chain: readonly TokenLimits[],
  { at, audience, ...name }: Pick<TokenUse, 'at' | 'audience'> & Omit<TokenUse['account'], 'id'>,
): BrokenLimit | undefined =>
  findAmong(OF_NAMES, chain, { at, audience, account: { ...NO_ACCOUNT, ...name } });

/** Whether a tool is worth showing to the holder: there may be accounts and arguments with which a call is allowed. */
export const offersTool = (
  chain: readonly TokenLimits[],
  { at, audience, tool }: Pick<TokenUse, 'at' | 'audience'> & { readonly tool: UsedTool },
): boolean =>
  findAmong(OF_TOOLS, chain, { at, audience, account: NO_ACCOUNT, tool: { ...tool, input: undefined } }) ===
  undefined;

/** Whether a person must have said yes before this use. */
export const needsApproval = (chain: readonly TokenLimits[], { tool, proxied }: TokenUse): boolean =>
  chain.some(({ approve }) => {
    if (approve === 'always') return tool !== undefined || proxied !== undefined;
    if (approve === 'destructive')
      return tool?.hints.destructive === true || (proxied !== undefined && !isReading(proxied));
    return Array.isArray(approve) && tool !== undefined && approve.includes(tool.name);
  });

/** When the last use of a chain can be, in seconds since 1970: the earliest end of its links. */
export const endOf = (chain: readonly TokenLimits[]): number =>
  Math.min(...chain.map(({ expiresAt = Number.MAX_SAFE_INTEGER }) => expiresAt));

/** The user that a token is for, as the application knows them. */
export const identifierOf = (links: readonly TokenLimits[]): string | undefined =>
  links.find(({ identifier }) => identifier !== undefined)?.identifier;
