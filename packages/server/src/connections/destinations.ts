import { ServiceError } from '../errors.js';
import type { ConnectionChange } from '../storage/connection-tables.js';
import type { ConnectionRow } from '../storage/schema.js';
import { baseUrlOf, hostsOf } from './connection-addresses.js';
import { serverOf } from './connection-oauth.js';
import type { Connector } from './connector.js';

/** URLs to which a connection's secrets are sent, each list normalized and joined to one string for comparison. */
interface Destinations {
  /** URLs to which tokens, keys and secondary credentials of accounts are sent. */
  readonly ofAccounts: string;
  /**
   * URLs to which the client secret is sent, joined to one text. For an MCP server, the URL of the server itself,
   * because the server names the token endpoint.
   */
  readonly ofClient: string;
}

// Normalizes and joins URLs, so that different spellings of a URL are equal. The path stays, because tenants of an
// upstream may share an origin.
const normalize = (urls: readonly (string | undefined)[]): string =>
  urls.map((url) => (url === undefined ? '' : new URL(url).href)).join(' ');

function destinationsOf(row: ConnectionRow, connector: Connector): Destinations {
  const { auth } = connector;
  const addresses = [baseUrlOf(row, connector), ...Object.values(hostsOf(row, connector))];
  if (auth.type !== 'oauth2') {
    return {
      ofAccounts: normalize(addresses),
      ofClient: auth.type === 'mcp_oauth' ? normalize(addresses) : '',
    };
  }
  const { authorizationEndpoint, tokenEndpoint, revocationEndpoint } = serverOf(row, auth);
  const endpoints = [authorizationEndpoint, tokenEndpoint, revocationEndpoint];
  return { ofAccounts: normalize([...addresses, ...endpoints]), ofClient: normalize(endpoints) };
}

const secretStays = ({ name }: ConnectionRow): ServiceError =>
  new ServiceError(
    'conflict',
    `The client secret of "${name}" belongs to its current client id and URLs. Send clientSecret together with this change.`,
    { connectionName: name, reason: 'client_secret_needed' },
  );

/**
 * True if a change of the connection would send secrets of accounts to other URLs. Throws conflict if the stored client
 * secret would be sent to other URLs, or with another client id.
 */
export function movesAccounts(row: ConnectionRow, change: ConnectionChange, connector: Connector): boolean {
  const before = destinationsOf(row, connector);
  const after = destinationsOf({ ...row, ...change }, connector);
  const isOtherClient = change.clientId !== undefined && change.clientId !== row.clientId;
  const isSecretUnchanged = row.clientSecret !== null && change.clientSecret === undefined;
  if (isSecretUnchanged && (isOtherClient || before.ofClient !== after.ofClient)) throw secretStays(row);
  return before.ofAccounts !== after.ofAccounts;
}

export const accountsStay = ({ name }: ConnectionRow): ServiceError =>
  new ServiceError(
    'conflict',
    `The connection "${name}" has accounts, and their credentials belong to its current URLs. Create another connection for the new URLs, or delete the accounts first.`,
    { connectionName: name, reason: 'has_accounts' },
  );
