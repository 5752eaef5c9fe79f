import type { Catalog, Tool } from '@svc/catalog';
import { LRUCache } from 'lru-cache';
import type { ConnectionNames, ListedNames } from '../connections/connection-names.js';
import { findConnector } from '../connections/connector.js';
import { ServiceError } from '../errors.js';
import { mostBytesOf } from '../listener/body-limits.js';
import { agentMcpPath } from '../names/agent-urls.js';
import type { Bearer } from '../tokens/narrowed-tokens.js';
import {
  findBrokenByName,
  findBrokenByTool,
  identifierOf,
  offersTool,
  type TokenLimits,
} from '../tokens/token-limits.js';
import { type PresentedToken, presentedBy } from '../tokens/token-uses.js';
import type { AccessibleConnections, FindConnections } from './accessible-connections.js';
import { META_TOOLS } from './meta-tools.js';
import { createToolSearch, type ToolSearch } from './tool-search.js';
import type { DescribedTool, DescribeTool, WireTool } from './wire-tool.js';
import { withAccounts } from './with-accounts.js';

/** Parsed URL path of an MCP endpoint, such as `/mcp/apps/{applicationId}/{connector}`. */
export interface EndpointPath {
  readonly connector?: string | undefined;
  /** Percent-encoded application id from the URL. Absent at `/mcp`, where the token determines the application. */
  readonly application?: string | undefined;
  /** True for `?tools=all`: `tools/list` then returns every tool, even if the list is long. */
  readonly wantsAll: boolean;
}

/** Why a toolset lacks a tool of the catalogue. */
export interface Absence {
  /** Limit of the token that excludes the tool, or another reason in one word. */
  readonly reason: string;
  /** Sentences for the client that say the reason and what to do. */
  readonly text: string;
}

/** Tools that one access token may list and call at one MCP endpoint. */
export interface Toolset {
  readonly presented: PresentedToken;
  /** Identifier of the application's user for whom the tools act. */
  readonly identifier: string;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly connections: AccessibleConnections;
  /**
   * True if `tools/list` returns only meta tools, such as `search_tools` and `call_tool`, because the toolset has too
   * many tools.
   */
  readonly usesMetaTools: boolean;
  readonly listedNames: ReadonlySet<string>;
  readonly listJson: Buffer;
  readonly search: ToolSearch;
  /** Returns why the toolset lacks a tool of the catalogue. Returns `undefined` for a tool that does not exist. */
  readonly whyAbsent: (name: string) => Absence | undefined;
  /** Maximum request body in bytes: the largest limit of all tools in the toolset. */
  readonly mostBytes: number;
}

interface ToolsetParts {
  readonly catalog: Catalog;
  readonly connectionNames: Pick<ConnectionNames, 'cached' | 'read'>;
  readonly findConnections: FindConnections;
  readonly describeTool: DescribeTool;
  /** Base URL of the service, without a trailing slash. */
  readonly environmentUrl: string;
  readonly now: () => number;
}

/**
 * Maximum number of tools in `tools/list`. With more tools, models choose worse. The list then has only
 * `search_tools`, `describe_tool` and `call_tool`.
 */
const MAX_LISTED = 40;
/** Maximum total bytes of the cached `tools/list` results. */
const MAX_LIST_BYTES = 8 * 2 ** 20;

interface CachedToolset {
  /**
   * List of the application's connections from which the cached toolset was built. When the list is read again, the
   * toolset becomes invalid.
   */
  readonly names: ListedNames;
  readonly toolset: Toolset;
}

const notForAgents = (): ServiceError =>
  new ServiceError(
    'not_permitted',
    'The token is not for one user, which MCP requires. Send a token from POST /v1/agent-tokens.',
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

interface ToolListOptions {
  /** Tools that the MCP response to `tools/list` contains, sorted by name. */
  readonly described: readonly DescribedTool[];
  readonly usesMetaTools: boolean;
  readonly toWire: (tool: DescribedTool) => WireTool;
}

/**
 * Returns the service's own tools for `tools/list`. With `usesMetaTools`, `search_tools` and the others replace the
 * connectors' tools. Otherwise only `describe_tool` for shortened schemas and `get_job` for long calls are added.
 */
function metaToolsOf({ described, usesMetaTools }: ToolListOptions): readonly WireTool[] {
  const { search_tools, describe_tool, call_tool, get_job } = META_TOOLS;
  const jobs = described.some(({ tool }) => tool.hints.longRunning) ? [get_job] : [];
  if (usesMetaTools) return [search_tools, describe_tool, call_tool, ...jobs];
  return described.every(({ isWhole }) => isWhole) ? jobs : [describe_tool, ...jobs];
}

function toolListOf(options: ToolListOptions) {
  const { described, usesMetaTools, toWire } = options;
  const tools = [...(usesMetaTools ? [] : described.map(toWire)), ...metaToolsOf(options)];
  return { json: Buffer.from(JSON.stringify(tools)), names: new Set(tools.map(({ name }) => name)) };
}

/**
 * Returns the cache key of an MCP endpoint. The key omits the application id, because each cache belongs to one token
 * and so to one application.
 */
const pathKey = ({ application, connector = '', wantsAll }: EndpointPath): string =>
  `${application !== undefined}/${connector}?${wantsAll}`;

/**
 * Returns the URL path of the MCP endpoint. Throws unauthorized if the token belongs to another application than the
 * path.
 */
function endpointOf(
  { application, connector }: EndpointPath,
  { applicationId }: Bearer,
): PresentedToken['endpoint'] {
  if (application === undefined) return connector === undefined ? '/mcp' : `/mcp/${connector}`;
  if (application === encodeURIComponent(applicationId)) return agentMcpPath(applicationId, connector);
  throw new ServiceError(
    'unauthorized',
    'The token belongs to a different application than the one that the URL names. Send a token of the application that the URL names.',
  );
}

export function createFindToolset(parts: ToolsetParts) {
  const { catalog, connectionNames, findConnections, describeTool, environmentUrl, now } = parts;
  const allTools = [...catalog.tools.values()];
  const lists = new LRUCache<string, ReturnType<typeof toolListOf>>({
    maxSize: MAX_LIST_BYTES,
    sizeCalculation: ({ json }, key) => json.length + key.length,
  });
  // Cache of the tools that a token may use. The key is the `links` array with the token's limits, so garbage
  // collection frees the entries together with the token.
  const cache = new WeakMap<readonly TokenLimits[], Map<string, CachedToolset>>();
  let searchAll: ToolSearch | undefined;

  function getSearch(): ToolSearch {
    searchAll ??= createToolSearch(
      allTools.map((tool) => ({
        tool,
        connector: catalog.connectors.get(tool.connector),
        input: describeTool(tool).short.inputSchema,
      })),
    );
    return searchAll;
  }

  function toolsFor(
    links: readonly TokenLimits[],
    { connector }: EndpointPath,
    audience: string,
  ): readonly Tool[] {
    const at = now();
    return allTools.filter(
      (tool) =>
        (connector === undefined || tool.connector === connector) &&
        offersTool(links, { at, audience, tool }),
    );
  }

  function whyAbsent(
    name: string,
    {
      links,
      path,
      audience,
    }: { readonly links: readonly TokenLimits[]; readonly path: EndpointPath; readonly audience: string },
  ): Absence | undefined {
    const tool = catalog.tools.get(name);
    if (tool === undefined) return undefined;
    const { connector } = path;
    if (connector !== undefined && tool.connector !== connector)
      return {
        reason: 'other_connector',
        text: `This MCP endpoint has only tools of the connector "${connector}". Use one of them, or tell the user to connect this MCP client to the endpoint without the connector in its path.`,
      };
    const broken = findBrokenByTool(links, { at: now(), audience, tool });
    if (broken !== undefined)
      return {
        reason: broken.limit,
        text: `${broken.message} Ask the issuer of the token for a token that allows this tool.`,
      };
    return {
      reason: 'no_connection',
      text: `The application has no connection of the connector "${tool.connector}" that the token allows. Ask the issuer of the token to create such a connection, or for a token that allows an existing one.`,
    };
  }

  function listFor(tools: readonly Tool[], connections: AccessibleConnections, usesMetaTools: boolean) {
    const several = [...connections].filter(([, accounts]) => accounts.length > 1);
    const key = JSON.stringify([usesMetaTools, tools.map(({ name }) => name), several]);
    const cached = lists.get(key);
    if (cached) return cached;
    const toWire = ({ tool, short, accountInput }: DescribedTool) =>
      withAccounts(short, { accountInput, accounts: connections.get(tool.connector) ?? [] });
    const list = toolListOf({ described: tools.map(describeTool), usesMetaTools, toWire });
    lists.set(key, list);
    return list;
  }

  async function buildToolset(
    presented: PresentedToken,
    path: EndpointPath,
    { names }: ListedNames,
  ): Promise<Toolset> {
    const { applicationId, endpoint, token } = presented;
    const { links } = token;
    const audience = environmentUrl + endpoint;
    if (!isFor(links, { at: now(), audience }))
      throw new ServiceError(
        'unauthorized',
        `The token is not valid for ${audience}. Request a token for this URL.`,
      );
    const identifier = identifierOf(links);
    if (identifier === undefined) throw notForAgents();
    const connections = await findConnections({ applicationId, links, identifier, audience, names });
    const tools = toolsFor(links, path, audience).filter(({ connector }) => connections.has(connector));
    const usesMetaTools = tools.length > MAX_LISTED && !path.wantsAll;
    const { json, names: listedNames } = listFor(tools, connections, usesMetaTools);
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    return {
      presented,
      identifier,
      tools: byName,
      connections,
      usesMetaTools,
      listedNames,
      listJson: json,
      mostBytes: mostBytesOf(...tools),
      whyAbsent: (name) => whyAbsent(name, { links, path, audience }),
      search: (query, limit) => {
        const matches = getSearch()(query, allTools.length);
        return matches.filter((name) => byName.has(name)).slice(0, limit);
      },
    };
  }

  /**
   * Returns the tools that a token may use at an MCP endpoint. The result is cached until the list of the application's
   * connections is read again.
   */
  return async function findToolset(bearer: Bearer, path: EndpointPath): Promise<Toolset> {
    const { connector } = path;
    if (connector !== undefined) findConnector(catalog.connectors, connector);
    const presented = presentedBy(bearer, endpointOf(path, bearer));
    if (presented === undefined) throw notForAgents();
    const { applicationId, token } = presented;
    const toolsets = cache.get(token.links) ?? new Map<string, CachedToolset>();
    cache.set(token.links, toolsets);
    const key = pathKey(path);
    const cached = toolsets.get(key);
    if (cached && cached.names === connectionNames.cached(applicationId)) return cached.toolset;
    const names = await connectionNames.read(applicationId);
    const toolset = await buildToolset(presented, path, names);
    toolsets.set(key, { names, toolset });
    return toolset;
  };
}

export type FindToolset = ReturnType<typeof createFindToolset>;
