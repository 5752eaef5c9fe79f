import type { IncomingMessage } from 'node:http';
import type { Catalog } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import type { ApiRequest } from '../front/api-request.js';
import { AGENT_SCOPES } from '../names/agent-scopes.js';
import { isOfGrant, type TokenChain } from '../tokens/token-chain.js';
import { offersTool } from '../tokens/token-limits.js';
import type { Toolset } from './toolset.js';

const ENDPOINT = /^\/mcp(?:\/apps\/[^/?]{1,768})?(?:\/\w{1,64})?(?=\?|$)/;
const OF_APPLICATION = '/mcp/apps/';
const SCOPE = AGENT_SCOPES.join(' ');

const metadataUrl = (environmentUrl: string, path: string): string =>
  `${environmentUrl}/.well-known/oauth-protected-resource${path}`;

/**
 * Creates the function that builds `WWW-Authenticate` headers. `environmentUrl` is the base URL of the service, without
 * a trailing slash.
 */
export function createChallenge(environmentUrl: string) {
  /**
   * Returns the `WWW-Authenticate` header of a 401 response. It contains the URL of the endpoint's OAuth metadata (RFC
   * 9728).
   */
  return function challenge({ url = '', headers }: IncomingMessage): string {
    const [path = '/mcp'] = ENDPOINT.exec(url) ?? [];
    const refused = headers.authorization === undefined ? '' : 'error="invalid_token", ';
    // The header lists scopes only for `/mcp/apps/…`, because users can grant scopes only at these endpoints.
    const scope = path.startsWith(OF_APPLICATION) ? `, scope="${SCOPE}"` : '';
    return `Bearer ${refused}resource_metadata="${metadataUrl(environmentUrl, path)}"${scope}`;
  };
}

interface CheckScopeParts {
  readonly catalog: Pick<Catalog, 'tools'>;
  /** Base URL of the service, without a trailing slash. */
  readonly environmentUrl: string;
  readonly now: () => number;
}

/**
 * Returns the token's limits as if the user had granted every scope: without `readOnly`. Only the first limits keep
 * `readOnly`, because the application has set them.
 */
const withEveryScope = ({ links }: TokenChain) =>
  links.map(({ readOnly, ...link }, index) => (index === 0 && readOnly ? { ...link, readOnly } : link));

export function createCheckScope({ catalog, environmentUrl, now }: CheckScopeParts) {
  /**
   * Throws not_permitted if a tool needs a scope that the user did not grant. The `WWW-Authenticate` header names that
   * scope (RFC 6750, section 3.1).
   */
  return function checkScope(apiRequest: ApiRequest, toolset: Toolset, toolName: string | undefined): void {
    const { presented, tools, connections } = toolset;
    const { token, endpoint } = presented;
    if (toolName === undefined || tools.has(toolName) || !isOfGrant(token)) return;
    const tool = catalog.tools.get(toolName);
    if (tool === undefined || !connections.has(tool.connector)) return;
    const use = { at: now(), audience: environmentUrl + endpoint, tool };
    if (!offersTool(withEveryScope(token), use)) return;
    const metadata = metadataUrl(environmentUrl, endpoint);
    apiRequest.headers['www-authenticate'] =
      `Bearer error="insufficient_scope", scope="${SCOPE}", resource_metadata="${metadata}"`;
    const message = `The user granted this client read access only. Request the scope "${SCOPE}".`;
    throw new ServiceError('not_permitted', message, { limit: 'readOnly' });
  };
}

export type CheckScope = ReturnType<typeof createCheckScope>;
