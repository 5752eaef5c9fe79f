import type { AccountReference } from '../connections/resolve.js';
import { asServiceError } from '../errors.js';
import type { ApiRequest } from '../front/api-request.js';
import { accountOfToken } from '../tokens/account-of-token.js';
import { presentedBy } from '../tokens/token-uses.js';
import type { BeginExecution, RunningExecution } from '../upstream/begin-execution.js';
import { takeLabel } from './account-label.js';
import { overriddenMethod } from './method-override.js';
import { parseProxyTarget, splitTarget } from './proxy-target.js';

/**
 * Account and upstream path that a proxied request names. A property is absent if the request lacks it or it is
 * malformed.
 */
interface Named extends AccountReference {
  readonly path?: string;
}

export type NameRequest = (apiRequest: ApiRequest) => Named;

/** Reads the account and the upstream path from the URL of a proxied request. */
export function nameByPath({ request: { headers, url = '' } }: ApiRequest): Named {
  const { connectionName, identifier, path, query } = parseProxyTarget(url);
  const named = { connectionName, identifier, path };
  try {
    return { ...named, account: takeLabel(headers, query).label };
  } catch {
    return named;
  }
}

/** Reads the account of a request at the proxy port from the request's token. */
export function nameByToken({ bearer, request: { url = '' } }: ApiRequest): Named {
  const { path } = splitTarget(url);
  const token = bearer && presentedBy(bearer, '/v1');
  const target = token && accountOfToken(token.token.links);
  if (target === undefined) return { path };
  return 'id' in target ? { connectedAccountId: target.id, path } : { ...target, path };
}

/**
 * Creates the functions that begin the execution of a proxied request, and that end it if the service refuses the
 * request.
 */
export function createBeginProxied(beginExecution: BeginExecution, nameRequest: NameRequest) {
  function begin({ applicationId, id: requestId, request, traceId }: ApiRequest): RunningExecution {
    const method = overriddenMethod(request.headers) ?? request.method;
    return beginExecution('proxy', { applicationId, method, requestId, traceId });
  }

  /** Ends the execution of a request that the service refuses before finding its account. */
  function refuse(apiRequest: ApiRequest, execution: RunningExecution, thrown: unknown): void {
    try {
      const { path, ...account } = nameRequest(apiRequest);
      execution.setReference(account);
      if (path !== undefined) execution.setPath(path);
    } catch {
      // Records no account for a malformed URL. A later check refuses the request with an error about the URL.
    }
    execution.fail(asServiceError(thrown));
  }

  return { begin, refuse };
}

export type BeginProxied = ReturnType<typeof createBeginProxied>;
