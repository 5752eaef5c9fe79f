import type { AccountName } from '../connections/find-account.js';
import type { CheckAccount, Resolve } from '../connections/resolve.js';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { ServiceError } from '../errors.js';
import type { Call } from '../front/call.js';
import { accountOfToken } from '../tokens/account-of-token.js';
import type { PresentedToken, TokenUses } from '../tokens/token-uses.js';
import { otherMethod, PROXY_METHODS } from './methods.js';
import { parseProxyTarget, type RequestedPath, splitTarget } from './proxy-target.js';

interface ByNameOptions {
  readonly resolve: Pick<Resolve, 'cached' | 'byIdentifier'>;
  readonly tokenUses: Pick<TokenUses, 'checkName' | 'checkAccount'>;
}

export interface LocateByPathOptions extends ByNameOptions {
  /** Public URL of the service without a trailing slash. */
  readonly serviceUrl: string;
}

export interface LocateByTokenOptions {
  readonly resolve: Resolve;
  readonly tokenUses: Pick<TokenUses, 'checkName' | 'checkAccount'>;
  /** Public URL of the proxy port without a trailing slash. */
  readonly proxyUrl: string;
}

/** Connected account of a proxied request, with the requested upstream path and query. */
export interface Located extends RequestedPath {
  /**
   * Connected account of the request, when it is cached. Otherwise a promise, because the account is read from the
   * database.
   */
  readonly account: ResolvedAccount | Promise<ResolvedAccount>;
  /** Proxy URL of the connected account without a trailing slash. */
  readonly proxyUrl: string;
}

export type Locate = ReturnType<typeof createLocateByPath> | ReturnType<typeof createLocateByToken>;

const checkFor = (
  { tokenUses }: Pick<ByNameOptions, 'tokenUses'>,
  token: PresentedToken | undefined,
): CheckAccount | undefined => token && ((account) => tokenUses.checkAccount(token, account));

function createFindByName({ resolve, tokenUses }: ByNameOptions) {
  return function findByName(
    applicationId: string,
    { connectionName, identifier }: AccountName,
    token: PresentedToken | undefined,
  ): ResolvedAccount | Promise<ResolvedAccount> {
    if (token) tokenUses.checkName(token, { connectionName, identifier });
    return (
      resolve.cached(applicationId, connectionName, identifier) ??
      resolve.byIdentifier(applicationId, connectionName, identifier, checkFor({ tokenUses }, token))
    );
  };
}

export function createLocateByPath({ serviceUrl, resolve, tokenUses }: LocateByPathOptions) {
  const findByName = createFindByName({ resolve, tokenUses });
  /**
   * Finds the connected account by the request path, which names connection and identifier:
   * `/v1/proxy/{connectionName}/{identifier}/{upstream path}`.
   */
  return function locateByPath(
    { applicationId, request: { url = '' } }: Call,
    token: PresentedToken | undefined,
  ): Located {
    const { path, query, proxyPath, ...name } = parseProxyTarget(url);
    const account = findByName(applicationId, name, token);
    return { account, proxyUrl: serviceUrl + proxyPath, path, query };
  };
}

const ADVICE =
  'The proxy port needs a token for one account. Create one with POST /v1/account-tokens and { identifier, connections: ["…"] }.';

export function createLocateByToken({ resolve, tokenUses, proxyUrl }: LocateByTokenOptions) {
  const findByName = createFindByName({ resolve, tokenUses });
  const findById = (applicationId: string, id: string, token: PresentedToken) =>
    resolve.cachedById(applicationId, id) ?? resolve.byId(applicationId, id, checkFor({ tokenUses }, token));
  /**
   * Finds the connected account of a request at the proxy port by the request's token, which is valid for one account.
   * The whole request path is the upstream path.
   */
  return function locateByToken(
    { applicationId, request: { method = '', url = '' } }: Call,
    token: PresentedToken | undefined,
  ): Located {
    if (!PROXY_METHODS.includes(method)) throw otherMethod();
    const target = token && accountOfToken(token.token.links);
    if (token === undefined || target === undefined) throw new ServiceError('not_permitted', ADVICE);
    const account =
      'id' in target ? findById(applicationId, target.id, token) : findByName(applicationId, target, token);
    return { account, proxyUrl, ...splitTarget(url) };
  };
}
