import { ServiceError } from '../errors.js';
import type { ConnectionChange } from '../storage/connection-tables.js';
import type { ConnectionRow } from '../storage/schema.js';
import { baseUrlOf, hostsOf } from './addresses.js';
import { serverOf } from './connection-oauth.js';
import type { Connector } from './connector.js';

/** Everywhere that the secrets of a connection are sent to, in a form that can be compared. */
interface Destinations {
  /** The tokens, keys and further credentials of its accounts. */
  readonly ofAccounts: string;
  /** Its client secret: an MCP server says where that goes. */
  readonly ofClient: string;
}

// Parsed, so that another spelling is no other place. The path counts: many share one origin.
const spell = (urls: readonly (string | undefined)[]): string =>
  urls.map((url) => (url === undefined ? '' : new URL(url).href)).join(' ');

function destinationsOf(row: ConnectionRow, connector: Connector): Destinations {
  const { auth } = connector;
  const addresses = [baseUrlOf(row, connector), ...Object.values(hostsOf(row, connector))];
  if (auth.type !== 'oauth2') {
    return { ofAccounts: spell(addresses), ofClient: auth.type === 'mcp_oauth' ? spell(addresses) : '' };
  }
  const { authorizationEndpoint, tokenEndpoint, revocationEndpoint } = serverOf(row, auth);
  const endpoints = [authorizationEndpoint, tokenEndpoint, revocationEndpoint];
  return { ofAccounts: spell([...addresses, ...endpoints]), ofClient: spell(endpoints) };
}

const secretStays = ({ name }: ConnectionRow): ServiceError =>
  new ServiceError(
    'conflict',
    `The client secret of "${name}" was given for its present client id and addresses, and is not sent with or to others; send clientSecret together with this change.`,
    { connectionName: name, reason: 'client_secret_needed' },
  );

/**
 * Whether a change leads the secrets of accounts elsewhere. Throws conflict when it would lead the stored client secret
 * elsewhere, or make it another client's.
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
    `"${name}" has accounts, whose credentials were given for its present addresses and are sent to no others. Make another connection for the new addresses, or delete the accounts of this one first.`,
    { connectionName: name, reason: 'has_accounts' },
  );
