import type { ResponseOf } from '../../api/call.ts';
import { BASE_PATH } from '../../service-url.ts';
import type { SignInMethod } from './access.ts';

export type Grant = ResponseOf<'GET /operator/v1/applications/{applicationId}/agent-grants'>['items'][number];

export const SIGN_IN_METHODS: readonly {
  readonly value: SignInMethod;
  readonly title: string;
  readonly description: string;
}[] = [
  {
    value: 'signInUrl',
    title: 'Your application',
    description: 'the browser opens your sign-in page, and your server reports who signed in',
  },
  {
    value: 'openId',
    title: 'An OpenID Connect issuer',
    description:
      'the browser opens the issuer’s sign-in page, and this service reads the user from the ID token',
  },
];

export const registrationWords = (isOpen: boolean): string =>
  isOpen
    ? 'Open: any client can register itself. Each user must still give consent.'
    : 'Closed: only the clients in the list on this page and clients with a client metadata document can ask for consent.';

/** Describes how the service learned about the MCP client with this client ID. */
export function originOf(clientId: string): string {
  if (clientId.startsWith('reg_')) return 'Self-registered';
  if (/^https?:\/\//.test(clientId)) return 'Client metadata document';
  return 'Added manually';
}

/** Returns the path of an application's MCP endpoint. */
export const mcpPathOf = (applicationId: string): string =>
  `${BASE_PATH}/mcp/apps/${encodeURIComponent(applicationId)}`;

/**
 * Returns the connector that a grant is limited to. `undefined` means all connectors. `null` means that the grant
 * belongs to another application's endpoint.
 */
function connectorOf(resource: string, applicationId: string): string | undefined | null {
  const root = mcpPathOf(applicationId);
  const path = URL.canParse(resource) ? new URL(resource).pathname : '';
  if (path === root) return undefined;
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : null;
}

/** Describes the permissions of a grant in words, without its limits. */
export function permissionsOf(
  { scope, resource }: Pick<Grant, 'scope' | 'resource'>,
  applicationId: string,
  titleOf: (connector: string) => string,
): string {
  const connector = connectorOf(resource, applicationId);
  if (connector === null) return `Access to ${resource}`;
  const owner = connector === undefined ? '' : ` of ${titleOf(connector)}`;
  return scope.split(' ').includes('tools:write') ? `All tools${owner}` : `Read-only tools${owner}`;
}
