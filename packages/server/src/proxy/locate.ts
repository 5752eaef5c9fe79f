import type { AccountName } from '../connections/find-account.js';
import type { CheckAccount, Resolve } from '../connections/resolve.js';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { ServiceError } from '../errors.js';
import type { ApiRequest } from '../front/api-request.js';
import { accountOfToken } from '../tokens/account-of-token.js';
import type { PresentedToken, TokenUses } from '../tokens/token-uses.js';
import { labelIn, takeLabel } from './account-label.js';
import { otherMethod, PROXY_METHODS } from './methods.js';
import { parseProxyTarget, type RequestedPath, splitTarget } from './proxy-target.js';

interface ByNameOptions {
  readonly resolve: Pick<Resolve, 'byName'>;
  readonly tokenUses: Pick<TokenUses, 'checkName' | 'checkAccount'>;
}

export interface LocateByPathOptions extends ByNameOptions {
  /** Public URL of the service without a trailing slash. */
  readonly serviceUrl: string;
}

export interface LocateByTokenOptions {
  readonly resolve: Pick<Resolve, 'byName' | 'byId'>;
  readonly tokenUses: Pick<TokenUses, 'checkName' | 'checkAccount'>;
  /** Public URL of the proxy port without a trailing slash. */
  readonly proxyUrl: string;
}

/** Connected account of a proxied request, with the path and query that the upstream should get. */
export interface Located extends RequestedPath {
  /**
   * Connected account of the request if it is cached; otherwise a promise that resolves when the database has returned
   * it.
   */
  readonly account: ResolvedAccount | Promise<ResolvedAccount>;
  /** Proxy URL of the connected account, without a trailing slash. */
  readonly proxyUrl: string;
  /** Query parameter with the account's label, as the caller spelled it. Absent if the query names no label. */
  readonly labelQuery?: string | undefined;
}

export type Locate = ReturnType<typeof createLocateByPath> | ReturnType<typeof createLocateByToken>;

const checkFor = (
  tokenUses: Pick<TokenUses, 'checkAccount'>,
  token: PresentedToken | undefined,
): CheckAccount | undefined => token && ((account) => tokenUses.checkAccount(token, account));

function createFindByName({ resolve, tokenUses }: ByNameOptions) {
  return function findByName(
    applicationId: string,
    name: AccountName,
    token: PresentedToken | undefined,
  ): ResolvedAccount | Promise<ResolvedAccount> {
    if (token) tokenUses.checkName(token, name);
    return resolve.byName(applicationId, name, checkFor(tokenUses, token));
  };
}

export function createLocateByPath({ serviceUrl, resolve, tokenUses }: LocateByPathOptions) {
  const findByName = createFindByName({ resolve, tokenUses });
  /**
   * Finds the connected account by the connection and identifier in the request path:
   * `/v1/proxy/{connectionName}/{identifier}/{upstream path}`. The account's label is in the header `svc-account` or
   * the query parameter `account`.
   */
  return function locateByPath(
    { applicationId, request: { headers, url = '' } }: ApiRequest,
    token: PresentedToken | undefined,
  ): Located {
    const { path, query: given, proxyPath, connectionName, identifier } = parseProxyTarget(url);
    const { label, query, labelQuery } = takeLabel(headers, given);
    const account = findByName(applicationId, { connectionName, identifier, account: label }, token);
    return { account, proxyUrl: serviceUrl + proxyPath, labelQuery, path, query };
  };
}

const ADVICE =
  'The proxy port needs an account token for one account. Create one with POST /v1/account-tokens and { identifier, connections: ["…"] }.';

export function createLocateByToken({ resolve, tokenUses, proxyUrl }: LocateByTokenOptions) {
  const findByName = createFindByName({ resolve, tokenUses });
  const findById = (applicationId: string, id: string, token: PresentedToken) =>
    resolve.byId(applicationId, id, checkFor(tokenUses, token));
  /**
   * Finds the connected account of a request at the proxy port by the request's token, which is valid for one account.
   * The upstream gets the whole request path.
   */
  return function locateByToken(
    { applicationId, request: { headers, method = '', url = '' } }: ApiRequest,
    token: PresentedToken | undefined,
  ): Located {
    if (!PROXY_METHODS.includes(method)) throw otherMethod();
    const target = token && accountOfToken(token.token.links);
    if (token === undefined || target === undefined) throw new ServiceError('not_permitted', ADVICE);
    const account =
      'id' in target
        ? findById(applicationId, target.id, token)
        : findByName(applicationId, { ...target, account: labelIn(headers) ?? target.account }, token);
    return { account, proxyUrl, ...splitTarget(url) };
  };
}
