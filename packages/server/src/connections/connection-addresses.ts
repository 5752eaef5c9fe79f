import { ServiceError } from '../errors.js';
import type { ConnectionRow } from '../storage/schema.js';
import { parseObject } from '../text/json-object.js';
import type { Connector } from './connector.js';
import { checkBaseUrl, type IsListed } from './endpoint-url.js';

/** Base URLs to which a connection's requests are sent, without a trailing slash. */
export interface Addresses {
  readonly baseUrl: string;
  /** Map from the names of the connector's secondary hosts to their base URLs. */
  readonly hosts: Readonly<Record<string, string>>;
}

/** Base URL, region and hosts of a connection, as the application sets them. */
export interface AddressSettings {
  readonly baseUrl?: string;
  readonly region?: string;
  readonly hosts?: Readonly<Record<string, string>>;
}

type ConnectorAddresses = Pick<Connector, 'title' | 'baseUrl' | 'regions' | 'hosts'>;
type OwnAddresses = Pick<ConnectionRow, 'baseUrl' | 'region' | 'hosts'>;

function readHosts(json: string | null): Readonly<Record<string, string>> {
  const hosts = parseObject(json ?? '{}') ?? {};
  return Object.fromEntries(
    Object.entries(hosts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/**
 * Returns the connection's own base URL, that of its region, or that of the connector. Returns `undefined` if the
 * catalogue no longer has the region.
 */
export function baseUrlOf(
  { baseUrl, region }: OwnAddresses,
  connector: ConnectorAddresses,
): string | undefined {
  if (baseUrl !== null) return baseUrl;
  return region === null ? connector.baseUrl : ownValue(connector.regions, region);
}

export function hostsOf(
  { hosts }: OwnAddresses,
  connector: ConnectorAddresses,
): Readonly<Record<string, string>> {
  const own = readHosts(hosts);
  return Object.fromEntries(
    Object.entries(connector.hosts).map(([name, host]) => [name, ownValue(own, name) ?? host.baseUrl]),
  );
}

/**
 * Returns the base URLs of a connection. Throws connection_not_configured if the catalogue no longer has the
 * connection's region.
 */
export function addressesOf(
  own: OwnAddresses & { readonly connectionName: string },
  connector: ConnectorAddresses,
): Addresses {
  const baseUrl = baseUrlOf(own, connector);
  if (baseUrl !== undefined) return { baseUrl, hosts: hostsOf(own, connector) };
  throw new ServiceError(
    'connection_not_configured',
    `${unknownRegion(connector, own.region ?? '')} Set \`region\` or \`baseUrl\` with PATCH /v1/connections/${own.connectionName}.`,
  );
}

/**
 * Returns the database columns for the address settings. A new region replaces the base URL, and a new base URL
 * replaces the region.
 */
export function toAddressColumns(
  { baseUrl, region, hosts }: AddressSettings,
  connector: ConnectorAddresses,
  { own, isListed }: { readonly own: Pick<OwnAddresses, 'hosts'>; readonly isListed: IsListed },
): Partial<OwnAddresses> {
  if (baseUrl !== undefined && region !== undefined) {
    throw new ServiceError(
      'invalid_request',
      'A region sets the base URL. Send `region` or `baseUrl`, not both.',
    );
  }
  if (region !== undefined && ownValue(connector.regions, region) === undefined) {
    throw new ServiceError('invalid_request', unknownRegion(connector, region));
  }
  const checked = Object.entries(hosts ?? {}).map(([name, url]) => {
    checkHostName(connector, name);
    return [name, checkBaseUrl(url, isListed, `hosts.${name}`)];
  });
  return {
    ...(baseUrl !== undefined && { baseUrl: checkBaseUrl(baseUrl, isListed), region: null }),
    ...(region !== undefined && { region, baseUrl: null }),
    ...(hosts !== undefined && {
      hosts: JSON.stringify({ ...readHosts(own.hosts), ...Object.fromEntries(checked) }),
    }),
  };
}

function checkHostName({ title, hosts }: ConnectorAddresses, name: string): void {
  if (Object.hasOwn(hosts, name)) return;
  throw new ServiceError(
    'invalid_request',
    `${title} has no host "${name}". ${choice(Object.keys(hosts), 'hosts')}.`,
  );
}

const unknownRegion = ({ title, regions = {} }: ConnectorAddresses, region: string) =>
  `${title} has no region "${region}". ${choice(Object.keys(regions), 'region')}.`;

const choice = (names: readonly string[], field: string) =>
  names.length === 0 ? `Omit \`${field}\`` : `Use one of ${names.join(', ')}`;

const ownValue = <Value>(
  values: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined => (values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined);
