import { ServiceError } from '../errors.js';
import type { ConnectionChange } from '../storage/connection-tables.js';
import type { ConnectionRow } from '../storage/schema.js';
import { baseUrlOf, hostsOf } from './connection-addresses.js';
import { serverOf } from './connection-oauth.js';
import type { Connector } from './connector.js';

/** URLs that receive secrets of a connection, normalized to one text for comparison. */
interface Destinations {
  /** URLs that receive tokens, keys and secondary credentials of accounts. */
  readonly ofAccounts: string;
  /**
   * URLs that receive the client secret. For MCP servers it is the server's own URL, because the server names the token
   * endpoint.
   */
  readonly ofClient: string;
}

// Normalizes URLs, so that their spelling does not matter. The path is compared too, because tenants of an upstream may
// share an origin.
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
 * True if a change of the connection would send account secrets to other URLs. Throws conflict if it would send the
 * stored client secret to other URLs, or with another client id.
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
    `"${name}" has accounts, and their credentials belong to its current URLs. Create another connection for the new URLs, or delete the accounts first.`,
    { connectionName: name, reason: 'has_accounts' },
  );
