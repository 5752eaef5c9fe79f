import type { Catalog } from '@svc/catalog';
import type { ConnectionNames } from '../connections/connection-names.js';
import type { AgentSignInRow } from '../storage/grant-rows.js';
import type { Storage } from '../storage/storage.js';
import { findBrokenByName, offersTool, type TokenLimits } from '../tokens/token-limits.js';
import { isSelfRegistered } from './find-agent-client.js';
import { readResource } from './read-request.js';

/** Content of the consent page: what a user is asked to grant. */
export interface GrantRequest {
  readonly applicationName: string;
  /** A data URL of an image. */
  readonly applicationLogo: string | null;
  readonly clientName: string;
  /** True if the client registered itself, so that nobody checked its name. */
  readonly isSelfNamed: boolean;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly identifier: string;
  /** Connectors that the client could use, with their numbers of reading and changing tools. */
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
  /** URL of this service, without a slash at the end. */
  readonly environmentUrl: string;
  readonly now: () => number;
}

/** Reads the links of a sign-in or a grant. Only this room writes them. */
export const readLinks = (limits: string): readonly TokenLimits[] => JSON.parse(limits);

export function createDescribeGrantRequest(parts: DescribeGrantRequestParts) {
  const { storage, catalog, connectionNames, environmentUrl, now } = parts;

  /** Describes a sign-in by the connectors and tools that its token would really open. */
  async function describeGrantRequest(row: AgentSignInRow): Promise<GrantRequest> {
    const { applicationId, clientName, clientId, redirectUri, resource } = row;
    const identifier = row.identifier ?? '';
    const application = await storage.applications.find(applicationId);
    const links = readLinks(row.limits);
    const use = { at: now(), audience: resource };
    const { names } = await connectionNames.read(applicationId);
    const only = readResource(resource, applicationId, { connectors: catalog.connectors, environmentUrl });
    const usable = new Set(
      names
        .filter(({ connectionName }) => !findBrokenByName(links, { ...use, connectionName, identifier }))
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
      clientName,
      isSelfNamed: isSelfRegistered(clientId),
      clientId,
      redirectUri,
      identifier,
      connectors,
    };
  }
  return describeGrantRequest;
}

export type DescribeGrantRequest = ReturnType<typeof createDescribeGrantRequest>;
