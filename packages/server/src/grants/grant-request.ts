import { type Catalog, parseJson } from '@svc/catalog';
import type { ConnectionNames } from '../connections/connection-names.js';
import type { AgentSignInRow } from '../storage/grant-rows.js';
import type { Storage } from '../storage/storage.js';
import { describeConnectedAs } from '../text/connected-as.js';
import { findBrokenByName, labelOf, offersTool, type TokenLimits } from '../tokens/token-limits.js';
import { isSelfRegistered } from './find-agent-client.js';
import { readResource } from './read-request.js';

/** Content of the consent page, on which a user grants an MCP client access. */
export interface GrantRequest {
  readonly applicationName: string;
  /** Application's logo as a data URL. `null` if the application has none. */
  readonly applicationLogo: string | null;
  readonly applicationColor: string | null;
  readonly clientName: string;
  /**
   * True if the client used dynamic registration. The consent page then warns that nobody has verified the client's
   * name.
   */
  readonly isSelfRegistered: boolean;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly identifier: string;
  /** Services that the user has connected, and that the client may use after the grant. */
  readonly services: readonly UsableService[];
  /** Names of the connections that the client may use once the user has connected them. */
  readonly unconnected: readonly string[];
}

export interface UsableService {
  readonly connectionName: string;
  /** Title of the connector, followed by the name of the connection if several connections have the same title. */
  readonly title: string;
  /** The user's accounts at the upstream, such as `ada@example.com (Acme)`, as far as their names are known. */
  readonly accounts: readonly string[];
  /** Number of the service's tools that only read. `changing` is the number of its other tools. */
  readonly reading: number;
  readonly changing: number;
}

export interface DescribeGrantRequestParts {
  readonly storage: Pick<Storage, 'applications' | 'accounts'>;
  readonly catalog: Pick<Catalog, 'connectors' | 'tools'>;
  readonly connectionNames: Pick<ConnectionNames, 'read'>;
  /** Base URL of this service, without a trailing slash. */
  readonly environmentUrl: string;
  readonly now: () => number;
}

/**
 * Parses the token limits in the database row of a sign-in or a grant. They need no validation, because only the
 * modules of this folder write them.
 */
export const readLinks = (limits: string): readonly TokenLimits[] =>
  parseJson(limits) as readonly TokenLimits[];

const MAX_ACCOUNTS = 1000;

interface Titled {
  readonly connectionName: string;
  readonly title: string;
}

const distinct = ({ title, connectionName }: Titled, all: readonly Titled[]): string =>
  all.filter((one) => one.title === title).length === 1 ? title : `${title} (${connectionName})`;

export function createDescribeGrantRequest(parts: DescribeGrantRequestParts) {
  const { storage, catalog, connectionNames, environmentUrl, now } = parts;

  /** Lists the accounts that the user has connected and that the limits allow, by the name of the connection. */
  async function listConnected(
    applicationId: string,
    { identifier, account }: { readonly identifier: string; readonly account: string | undefined },
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await storage.accounts.listOfUser(applicationId, identifier, MAX_ACCOUNTS);
    const connected = new Map<string, readonly string[]>();
    for (const row of rows) {
      if (row.status !== 'authorized' || (account !== undefined && row.account !== account)) continue;
      const name = describeConnectedAs(row.connectedAs) ?? row.account;
      const known = connected.get(row.connectionName) ?? [];
      connected.set(row.connectionName, name === '' ? known : [...known, name]);
    }
    return connected;
  }

  /**
   * Returns the content of the consent page. It lists only services and tools that the granted token could really
   * use.
   */
  async function describeGrantRequest(row: AgentSignInRow): Promise<GrantRequest> {
    const { applicationId, clientName, clientId, redirectUri, resource } = row;
    const identifier = row.identifier ?? '';
    const application = await storage.applications.find(applicationId);
    const links = readLinks(row.limits);
    const use = { at: now(), audience: resource };
    const user = { identifier, account: labelOf(links) };
    const { names } = await connectionNames.read(applicationId);
    const only = readResource(resource, applicationId, { connectors: catalog.connectors, environmentUrl });
    const usable = names
      .filter(({ connectionName }) => !findBrokenByName(links, { ...use, ...user, connectionName }))
      .filter(({ connector }) => only === null || connector === only);
    const offered = [...catalog.tools.values()].filter((tool) => offersTool(links, { ...use, tool }));
    const connected = await listConnected(applicationId, user);
    const described = usable.flatMap(({ connectionName, connector: id }) => {
      const tools = offered.filter(({ connector }) => connector === id);
      const reading = tools.filter(({ hints }) => hints.readOnly).length;
      const title = catalog.connectors.get(id)?.title ?? id;
      const counts = { reading, changing: tools.length - reading };
      return tools.length === 0 ? [] : [{ connectionName, title, ...counts }];
    });
    const services = described.flatMap((service) => {
      const accounts = connected.get(service.connectionName);
      return accounts ? [{ ...service, title: distinct(service, described), accounts }] : [];
    });
    const unconnected = described
      .map(({ connectionName }) => connectionName)
      .filter((name) => !connected.has(name));
    return {
      applicationName: application?.name ?? '',
      applicationLogo: application?.logo ?? null,
      applicationColor: application?.color ?? null,
      clientName,
      isSelfRegistered: isSelfRegistered(clientId),
      clientId,
      redirectUri,
      identifier,
      services,
      unconnected,
    };
  }
  return describeGrantRequest;
}

export type DescribeGrantRequest = ReturnType<typeof createDescribeGrantRequest>;
