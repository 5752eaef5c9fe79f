import type { Catalog } from '@svc/catalog';
import type { ConnectionNames } from '../connections/connection-names.js';
import type { AgentSignInRow } from '../storage/grant-rows.js';
import type { Storage } from '../storage/storage.js';
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
  /** Connectors that the client may use after the grant, with their numbers of reading and changing tools. */
  readonly connectors: readonly UsableConnector[];
}

export interface UsableConnector {
  readonly title: string;
  readonly reading: number;
  readonly changing: number;
}

export interface DescribeGrantRequestParts {
  readonly storage: Pick<Storage, 'applications'>;
  readonly catalog: Pick<Catalog, 'connectors' | 'tools'>;
  readonly connectionNames: Pick<ConnectionNames, 'read'>;
  /** Base URL of this service, without a trailing slash. */
  readonly environmentUrl: string;
  readonly now: () => number;
}

/**
 * Parses the limit sets in the row of a sign-in or a grant. They need no validation, because only the modules of this
 * folder write them.
 */
export const readLinks = (limits: string): readonly TokenLimits[] => JSON.parse(limits);

export function createDescribeGrantRequest(parts: DescribeGrantRequestParts) {
  const { storage, catalog, connectionNames, environmentUrl, now } = parts;

  /**
   * Returns the content of the consent page. It lists only connectors and tools that the granted token could really
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
    const usable = new Set(
      names
        .filter(({ connectionName }) => !findBrokenByName(links, { ...use, ...user, connectionName }))
        .map(({ connector }) => connector)
        .filter((connector) => only === null || connector === only),
    );
    const offered = [...catalog.tools.values()].filter((tool) => offersTool(links, { ...use, tool }));
    const connectors = [...usable].flatMap((id) => {
      const tools = offered.filter(({ connector }) => connector === id);
      const reading = tools.filter(({ hints }) => hints.readOnly).length;
      const title = catalog.connectors.get(id)?.title ?? id;
      return tools.length === 0 ? [] : [{ title, reading, changing: tools.length - reading }];
    });
    return {
      applicationName: application?.name ?? '',
      applicationLogo: application?.logo ?? null,
      applicationColor: application?.color ?? null,
      clientName,
      isSelfRegistered: isSelfRegistered(clientId),
      clientId,
      redirectUri,
      identifier,
      connectors,
    };
  }
  return describeGrantRequest;
}

export type DescribeGrantRequest = ReturnType<typeof createDescribeGrantRequest>;
