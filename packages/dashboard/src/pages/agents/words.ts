import type { Answer } from '../../api/call.ts';
import type { Way } from './access.ts';

export type Grant = Answer<'GET /operator/v1/applications/{applicationId}/agent-grants'>['items'][number];

/** The parties that can sign users in, with the meaning of each choice. */
export const WAYS: readonly { readonly value: Way; readonly title: string; readonly means: string }[] = [
  {
    value: 'signInUrl',
    title: 'Your application',
    means: 'the browser comes to a page of yours, and your server says which user is signed in there',
  },
  {
    value: 'openId',
    title: 'An OpenID Connect issuer',
    means: 'the browser goes to the issuer, and this service reads from its ID token who signed in',
  },
];

export const registrationWords = (isOpen: boolean): string =>
  isOpen
    ? 'Open: any client may register itself, and each user is asked all the same.'
    : 'Closed: only the clients below may ask users, and those that are known by a document of their own.';

/** The origin of a client, told from its id. */
export function cameBy(clientId: string): string {
  if (clientId.startsWith('reg_')) return 'Registered itself';
  if (/^https?:\/\//.test(clientId)) return 'By its own document';
  return 'Added beforehand';
}

/** The path at which MCP clients reach the tools of an application. */
export const doorOf = (applicationId: string): string => `/mcp/apps/${encodeURIComponent(applicationId)}`;

/** The connector of a grant; `undefined` for all connectors, `null` for a resource of another application. */
function connectorOf(resource: string, applicationId: string): string | undefined | null {
  const door = doorOf(applicationId);
  const path = URL.canParse(resource) ? new URL(resource).pathname : '';
  if (path === door) return undefined;
  return path.startsWith(`${door}/`) ? path.slice(door.length + 1) : null;
}

/** The permissions of a client by a grant, without the limits that held when its user agreed. */
export function mayOf(
  { scope, resource }: Pick<Grant, 'scope' | 'resource'>,
  applicationId: string,
  titleOf: (connector: string) => string,
): string {
  const connector = connectorOf(resource, applicationId);
  if (connector === null) return `Reach ${resource}`;
  const place = connector === undefined ? '' : ` of ${titleOf(connector)}`;
  return scope.split(' ').includes('tools:write') ? `All tools${place}` : `Tools${place} that only read`;
}
