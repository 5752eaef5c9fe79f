import type { Catalog, Tool } from '@svc/catalog';
import { LRUCache } from 'lru-cache';
import type { ConnectionNames, ListedNames } from '../connections/connection-names.js';
import { ServiceError } from '../errors.js';
import { mostBytesOf } from '../listener/body-limits.js';
import { agentMcpPath } from '../names/agent-urls.js';
import type { Bearer } from '../tokens/narrowed-tokens.js';
import { findBrokenByName, identifierOf, offersTool, type TokenLimits } from '../tokens/token-limits.js';
import { type ShownToken, shownBy } from '../tokens/token-uses.js';
import type { FindReach, Reach } from './reach.js';
import { createSearch, type Search } from './search.js';
import { toolListOf } from './tool-list.js';
import { type DescribedTool, type DescribeTool, withAccounts } from './wire-tool.js';

/** The door that a request came to. */
export interface Door {
  readonly connector?: string | undefined;
  /** Whose door it is, as it stands in the path; absent at the doors of all applications. */
  readonly application?: string | undefined;
  /** Every tool is to stand in the list, however many there are. */
  readonly wantsAll: boolean;
}

/** What one token may see and call at one door. */
export interface Surface {
  readonly shown: ShownToken;
  /** The user, as the application knows them. */
  readonly identifier: string;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly reach: Reach;
  /** The tools stand behind meta tools. */
  readonly isBehind: boolean;
  /** Names of what the list holds. */
  readonly listed: ReadonlySet<string>;
  /** JSON of the list. */
  readonly list: Buffer;
  readonly search: Search;
  /** The largest body that any of the tools takes. */
  readonly mostBytes: number;
}

export interface SurfaceParts {
  readonly catalog: Catalog;
  readonly connectionNames: Pick<ConnectionNames, 'held' | 'read'>;
  readonly findReach: FindReach;
  readonly describeTool: DescribeTool;
  /** Of the service, without a slash at the end. */
  readonly environmentUrl: string;
  readonly now: () => number;
}

/** More than this crowd a model's context, and it picks worse among them. */
const MOST_LISTED = 40;
/** Of lists that are kept, one for each set of tools and accounts. */
const MOST_LIST_BYTES = 8 * 2 ** 20;

interface Kept {
  /** What it was made from. */
  readonly listed: ListedNames;
  readonly surface: Surface;
}

const notForAgents = (): ServiceError =>
  new ServiceError(
    'not_permitted',
    'MCP is for agents, which act for one user: send a token from POST /v1/agent-tokens.',
  );

const isFor = (
  links: readonly TokenLimits[],
  use: { readonly at: number; readonly audience: string },
): boolean =>
  links.every(
    ({ audience }) =>
      audience === undefined ||
      findBrokenByName([{ audience }], { ...use, connectionName: '', identifier: '' }) === undefined,
  );

/** What tells one door of an application from another: whose it is was checked by then. */
const doorKey = ({ application, connector = '', wantsAll }: Door): string =>
  `${application !== undefined}/${connector}?${wantsAll}`;

function doorOf({ application, connector }: Door, { applicationId }: Bearer): ShownToken['door'] {
  if (application === undefined) return connector === undefined ? '/mcp' : `/mcp/${connector}`;
  if (application === encodeURIComponent(applicationId)) return agentMcpPath(applicationId, connector);
  throw new ServiceError('unauthorized', 'The token is of another application.');
}

/** Finds what a token may see and call; what was found is kept for a moment, and lists for as long as they are asked for. */
export function createFindSurface(parts: SurfaceParts) {
  const { catalog, connectionNames, findReach, describeTool, environmentUrl, now } = parts;
  const every = [...catalog.tools.values()];
  const lists = new LRUCache<string, ReturnType<typeof toolListOf>>({
    maxSize: MOST_LIST_BYTES,
    sizeCalculation: ({ text }, key) => text.length + key.length,
  });
  // By the links of a token: they go with it.
  const kept = new WeakMap<readonly TokenLimits[], Map<string, Kept>>();
  let search: Search | undefined;

  const searchOf = (): Search => {
    search ??= createSearch(
      every.map((tool) => ({
        tool,
        connector: catalog.connectors.get(tool.connector),
        input: describeTool(tool).short.inputSchema,
      })),
    );
    return search;
  };

  function offered(links: readonly TokenLimits[], { connector }: Door, audience: string): readonly Tool[] {
    const at = now();
    return every.filter(
      (tool) =>
        (connector === undefined || tool.connector === connector) &&
        offersTool(links, { at, audience, tool }),
    );
  }

  function listFor(tools: readonly Tool[], reach: Reach, isBehind: boolean) {
    const several = [...reach].filter(([, names]) => names.length > 1);
    const key = JSON.stringify([isBehind, tools.map(({ name }) => name), several]);
    const known = lists.get(key);
    if (known) return known;
    const toWire = ({ tool, short, accountInput }: DescribedTool) =>
      withAccounts(short, accountInput, reach.get(tool.connector) ?? []);
    const list = toolListOf({ described: tools.map(describeTool), isBehind, toWire });
    lists.set(key, list);
    return list;
  }

  async function read(shown: ShownToken, door: Door, { names }: ListedNames): Promise<Surface> {
    const {
      applicationId,
      token: { links },
    } = shown;
    const audience = environmentUrl + shown.door;
    if (!isFor(links, { at: now(), audience }))
      throw new ServiceError('unauthorized', `The token is not for ${audience}.`);
    const identifier = identifierOf(links);
    if (identifier === undefined) throw notForAgents();
    const reach = await findReach({ applicationId, links, identifier, audience, names });
    const tools = offered(links, door, audience).filter(({ connector }) => reach.has(connector));
    const isBehind = tools.length > MOST_LISTED && !door.wantsAll;
    const { text, names: listed } = listFor(tools, reach, isBehind);
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    return {
      shown,
      identifier,
      tools: byName,
      reach,
      isBehind,
      listed,
      list: text,
      mostBytes: mostBytesOf(...tools),
      search: (query, limit) => {
        const found = searchOf()(query, every.length);
        return found.filter((name) => byName.has(name)).slice(0, limit);
      },
    };
  }

  return async (bearer: Bearer, door: Door): Promise<Surface> => {
    const { connector } = door;
    if (connector !== undefined && !catalog.connectors.has(connector))
      throw new ServiceError('connector_not_found', `There is no connector "${connector}".`);
    const shown = shownBy(bearer, doorOf(door, bearer));
    if (shown === undefined) throw notForAgents();
    const { applicationId, token } = shown;
    const doors = kept.get(token.links) ?? new Map<string, Kept>();
    kept.set(token.links, doors);
    const key = doorKey(door);
    const known = doors.get(key);
    if (known && known.listed === connectionNames.held(applicationId)) return known.surface;
    const listed = await connectionNames.read(applicationId);
    const surface = await read(shown, door, listed);
    doors.set(key, { listed, surface });
    return surface;
  };
}

export type FindSurface = ReturnType<typeof createFindSurface>;
