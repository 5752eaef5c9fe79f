import type { AccountName } from '../connections/find-account.js';
import type { CheckAccount, Resolve } from '../connections/resolve.js';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { ServiceError } from '../errors.js';
import type { Call } from '../front/call.js';
import { accountOfToken } from '../tokens/account-of-token.js';
import type { PresentedToken, TokenUses } from '../tokens/token-uses.js';
import { otherMethod, PROXY_METHODS } from './methods.js';
import { type Asked, parseProxyTarget, splitTarget } from './proxy-target.js';

export interface ByNameParts {
  /** Where callers reach the service: a URL without a slash at its end. */
  readonly serviceUrl: string;
  readonly resolve: Pick<Resolve, 'cached' | 'byIdentifier'>;
  readonly tokenUses: Pick<TokenUses, 'checkName' | 'checkAccount'>;
}

export interface LocateParts {
  readonly resolve: Resolve;
  readonly tokenUses: Pick<TokenUses, 'checkName' | 'checkAccount'>;
}

export interface Located extends Asked {
  /** At hand, or on its way. */
  readonly account: ResolvedAccount | Promise<ResolvedAccount>;
  /** Where callers reach the proxy of the account: a URL without a slash at its end. */
  readonly place: string;
}

/** Says what a request through the proxy asks for, and as whom. */
export type Locate = (call: Call, shown: PresentedToken | undefined) => Located;

const checkFor = (
  { tokenUses }: Pick<LocateParts, 'tokenUses'>,
  shown: PresentedToken | undefined,
): CheckAccount | undefined => shown && ((account) => tokenUses.checkAccount(shown, account));

const createFindByName =
  (parts: Omit<ByNameParts, 'serviceUrl'>) =>
  (applicationId: string, { connectionName, identifier }: AccountName, shown: PresentedToken | undefined) => {
    const { resolve, tokenUses } = parts;
    if (shown) tokenUses.checkName(shown, { connectionName, identifier });
    return (
      resolve.cached(applicationId, connectionName, identifier) ??
      resolve.byIdentifier(applicationId, connectionName, identifier, checkFor(parts, shown))
    );
  };

/** The path names connection and identifier: `/v1/proxy/{connectionName}/{identifier}/{upstream path}`. */
export function createLocateByPath(parts: ByNameParts): Locate {
  const findByName = createFindByName(parts);
  return ({ applicationId, request: { url = '' } }, shown) => {
    const { path, query, place, ...name } = parseProxyTarget(url);
    return { account: findByName(applicationId, name, shown), place: parts.serviceUrl + place, path, query };
  };
}

const ADVICE =
  'Here the token says whose account it is: send one that is for one account, from POST /v1/account-tokens with { identifier, connections: ["…"] }.';

/** The path is the upstream's own, and the token is for one account. `place`: the URL of the second address. */
export function createLocateByToken(parts: LocateParts, place: string): Locate {
  const { resolve } = parts;
  const findByName = createFindByName(parts);
  const findById = (applicationId: string, id: string, shown: PresentedToken) =>
    resolve.cachedById(applicationId, id) ?? resolve.byId(applicationId, id, checkFor(parts, shown));
  return ({ applicationId, request: { method = '', url = '' } }, shown) => {
    if (!PROXY_METHODS.includes(method)) throw otherMethod();
    const named = shown && accountOfToken(shown.token.links);
    if (shown === undefined || named === undefined) throw new ServiceError('not_permitted', ADVICE);
    const account =
      'id' in named ? findById(applicationId, named.id, shown) : findByName(applicationId, named, shown);
    return { account, place, ...splitTarget(url) };
  };
}
