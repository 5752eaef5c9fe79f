import type { Catalog } from '@svc/catalog';
import type { ConnectionNames } from '../connections/connection-names.js';
import type { AgentSignInRow } from '../storage/grant-rows.js';
import type { Storage } from '../storage/storage.js';
import { findBrokenByName, offersTool, type TokenLimits } from '../tokens/token-limits.js';
import { type ResourceParts, readResource } from './read-request.js';

/** What the consent page says. */
export interface Consent {
  readonly applicationName: string;
  /** A data URL of an image. */
  readonly applicationLogo: string | null;
  readonly clientName: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly identifier: string;
  /** What the client may use, each with how many of its tools read and how many change something. */
  readonly connectors: readonly ReachedConnector[];
}

export interface ReachedConnector {
  readonly title: string;
  readonly reading: number;
  readonly changing: number;
}

export interface AskParts extends Omit<ResourceParts, 'connectors'> {
  readonly storage: Pick<Storage, 'applications'>;
  readonly catalog: Pick<Catalog, 'connectors' | 'tools'>;
  readonly connectionNames: Pick<ConnectionNames, 'read'>;
  readonly now: () => number;
}

/** The links that a sign-in or a grant holds. Only this room writes them. */
export const readLinks = (limits: string): readonly TokenLimits[] => JSON.parse(limits);

/** Puts together what a user is asked, from what the token would really open. */
export const createAsk =
  ({ storage, catalog, connectionNames, environmentUrl, now }: AskParts) =>
  async (row: AgentSignInRow): Promise<Consent> => {
    const { applicationId, clientName, clientId, redirectUri, resource } = row;
    const identifier = row.identifier ?? '';
    const application = await storage.applications.find(applicationId);
    const links = readLinks(row.limits);
    const use = { at: now(), audience: resource };
    const { names } = await connectionNames.read(applicationId);
    const only = readResource(resource, applicationId, { connectors: catalog.connectors, environmentUrl });
    const reached = new Set(
      names
        .filter(({ connectionName }) => !findBrokenByName(links, { ...use, connectionName, identifier }))
        .map(({ connector }) => connector)
        .filter((connector) => only === null || connector === only),
    );
    const offered = [...catalog.tools.values()].filter((tool) => offersTool(links, { ...use, tool }));
    const connectors = [...reached].flatMap((id) => {
      const tools = offered.filter(({ connector }) => connector === id);
      const reading = tools.filter(({ hints }) => hints.readOnly).length;
      const title = catalog.connectors.get(id)?.title ?? id;
      return tools.length === 0 ? [] : [{ title, reading, changing: tools.length - reading }];
    });
    return {
      applicationName: application?.name ?? '',
      applicationLogo: application?.logo ?? null,
      clientName,
      clientId,
      redirectUri,
      identifier,
      connectors,
    };
  };
