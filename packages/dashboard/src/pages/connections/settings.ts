import type { RequestOf, ResponseOf } from '../../api/call.ts';
import type { Connector } from '../../api/catalogue.ts';

export type Connection =
  ResponseOf<'GET /operator/v1/applications/{applicationId}/connections/{connectionName}'>;
export type ConnectionChange =
  RequestOf<'PATCH /operator/v1/applications/{applicationId}/connections/{connectionName}'>['body'];

export type Policy = Connection['approve'];

export interface Settings {
  readonly clientId: string;
  /** New client secret. An empty string keeps the stored secret. */
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  /** Region of the upstream. An empty string means that `baseUrl` applies instead. */
  readonly region: string;
  readonly baseUrl: string;
  readonly hosts: Readonly<Record<string, string>>;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint: string;
  readonly allowUnannouncedPkce: boolean;
  readonly approve: Policy;
  readonly storeUpstreamErrors: boolean;
}

type Addressed = Pick<Connection, 'baseUrl' | 'region'>;

/**
 * Returns the region of a connection. If the connection has no region, returns the region whose URL equals the
 * connection's base URL, or an empty string for a custom base URL.
 */
function regionOf({ baseUrl, region }: Addressed, { regions }: Pick<Connector, 'regions'>): string {
  if (region !== null) return region;
  return Object.entries(regions).find(([, url]) => url === baseUrl)?.[0] ?? '';
}

export const settingsOf = (connection: Connection, connector: Pick<Connector, 'regions'>): Settings => ({
  clientId: connection.clientId ?? '',
  clientSecret: '',
  scopes: connection.scopes,
  region: regionOf(connection, connector),
  baseUrl: connection.baseUrl ?? '',
  hosts: connection.hosts,
  authorizationEndpoint: connection.authorizationEndpoint ?? '',
  tokenEndpoint: connection.tokenEndpoint ?? '',
  revocationEndpoint: connection.revocationEndpoint ?? '',
  allowUnannouncedPkce: connection.allowUnannouncedPkce,
  approve: connection.approve,
  storeUpstreamErrors: connection.storeUpstreamErrors,
});

/** Returns the settings that the form for a new connection shows first. */
export const settingsOfNew = (connector: Connector): Settings => ({
  clientId: '',
  clientSecret: '',
  scopes: connector.scopes.filter((scope) => scope.default).map(({ name }) => name),
  region: regionOf({ baseUrl: connector.baseUrl, region: null }, connector),
  baseUrl: connector.baseUrl,
  hosts: connector.hosts,
  authorizationEndpoint: '',
  tokenEndpoint: '',
  revocationEndpoint: '',
  allowUnannouncedPkce: false,
  approve: { default: 'never', tools: {} },
  storeUpstreamErrors: true,
});

const ENDPOINTS = ['authorizationEndpoint', 'tokenEndpoint', 'revocationEndpoint'] as const;
const PLAIN_SETTINGS = [
  'clientId',
  'clientSecret',
  ...ENDPOINTS,
  'allowUnannouncedPkce',
  'storeUpstreamErrors',
] as const;

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((each) => other.includes(each));

const isSamePolicy = (one: Policy, other: Policy): boolean =>
  one.default === other.default &&
  isSame(Object.keys(one.tools), Object.keys(other.tools)) &&
  Object.entries(one.tools).every(([name, value]) => other.tools[name] === value);

// The request contains either the region or the base URL, because each of them overrides the other.
function addressChange(before: Settings, after: Settings): ConnectionChange {
  if (after.region !== before.region && after.region !== '') return { region: after.region };
  const isCustom = after.region === '' && (before.region !== '' || after.baseUrl !== before.baseUrl);
  return isCustom ? { baseUrl: after.baseUrl } : {};
}

/**
 * Returns only the changed settings. An unchanged default must not be sent, because the service would store it and
 * ignore later changes of the connector's default.
 */
export function changesOf(before: Settings, after: Settings): ConnectionChange {
  const plain = PLAIN_SETTINGS.filter((name) => after[name] !== before[name]);
  const hosts = Object.entries(after.hosts).filter(([name, url]) => url !== before.hosts[name]);
  return {
    ...Object.fromEntries(plain.map((name) => [name, after[name]])),
    ...(!isSame(before.scopes, after.scopes) && { scopes: [...after.scopes] }),
    ...addressChange(before, after),
    ...(!isSamePolicy(before.approve, after.approve) && { approve: after.approve }),
    ...(hosts.length > 0 && { hosts: Object.fromEntries(hosts) }),
  };
}

/** Returns true if the service requires the client secret again, because the client ID or a URL has changed. */
export function needsNewSecret(
  { authType, hasClientSecret }: Pick<Connection, 'authType' | 'hasClientSecret'>,
  change: ConnectionChange,
): boolean {
  if (!hasClientSecret || change.clientSecret !== undefined) return false;
  const isMoved =
    authType === 'mcp_oauth'
      ? [change.baseUrl, change.region, change.hosts].some((each) => each !== undefined)
      : ENDPOINTS.some((name) => change[name] !== undefined);
  return change.clientId !== undefined || isMoved;
}

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** Returns the error message for an invalid connection name. Returns `undefined` for a valid or empty name. */
export function wrongName(name: string): string | undefined {
  if (name === '' || NAME.test(name)) return undefined;
  return 'Use up to 64 lowercase letters, digits, hyphens and underscores. Start with a letter or digit.';
}

/** Converts text to the form of a connection name: “Ada’s Büro” becomes “ada-s-buro”. */
export const toName = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[_-]+/, '')
    .replace(/-$/, '')
    .slice(0, 64);

/** Returns the first unused connection name: the connector id, optionally followed by a number. */
export function freeName(connectorId: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? connectorId : `${connectorId}-${number}`;
    if (!taken.has(name)) return name;
  }
}
