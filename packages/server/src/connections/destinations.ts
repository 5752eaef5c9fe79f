import { ServiceError } from '../errors.js';
import type { ConnectionChange } from '../storage/connection-tables.js';
import type { ConnectionRow } from '../storage/schema.js';
import { baseUrlOf, hostsOf } from './connection-addresses.js';
import { serverOf } from './connection-oauth.js';
import type { Connector } from './connector.js';

/** Addresses that get secrets of a connection, in comparable form. */
interface Destinations {
  /** Addresses for tokens, keys and secondary credentials of accounts. */
  readonly ofAccounts: string;
  /** Addresses for the client secret. An MCP server names the token endpoint itself. */
  readonly ofClient: string;
}

// URLs are normalized, so that spelling does not matter. Paths count, because many tenants may share one origin.
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
    `The client secret of "${name}" belongs to its present client id and addresses. Send clientSecret together with this change.`,
    { connectionName: name, reason: 'client_secret_needed' },
  );

/**
 * True if a change sends secrets of accounts to other addresses. Throws conflict if it would send the stored client secret to
 * other addresses, or with another client id.
 */
export function movesAccounts(row: ConnectionRow, change: ConnectionChange, connector: Connector): boolean {
  const before = destinationsOf(row, connector);
  const after = destinationsOf({ ...row, ...change }, connector);
  const isOtherClient = change.clientId !== undefined && change.clientId !== row.clientId;
  const isKept = row.clientSecret !== null && change.clientSecret === undefined;
  if (isKept && (isOtherClient || before.ofClient !== after.ofClient)) throw secretStays(row);
  return before.ofAccounts !== after.ofAccounts;
}

export const accountsStay = ({ name }: ConnectionRow): ServiceError =>
  new ServiceError(
    'conflict',
    `"${name}" has accounts, whose credentials belong to its present addresses. Create another connection for the new addresses, or delete the accounts first.`,
    { connectionName: name, reason: 'has_accounts' },
  );
