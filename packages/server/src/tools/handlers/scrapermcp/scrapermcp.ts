import { mcpData } from '@svc/catalog';
import type { Handlers } from '../../../generated/handlers.js';
import type { Mcp } from '../../handler.js';
import { type Json, listIn, withoutUndefined } from '../json.js';
import { readActorTool } from './actor-tool.js';
import { callActorTool, callAndWait, callFor, startRun } from './call-actor.js';
import { withCutText } from './cut.js';
import { readLog } from './log.js';
import { readOutput } from './output.js';
import { abortRun, lookAt, withStorageIds } from './run.js';
import { readServer, structuredIn, withoutAdvice } from './server.js';

const PREVIEWED_ITEMS = 10;
const BROWSER = 'apify/rag-web-browser';

interface ActorSearch {
  readonly keywords?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/**
 * Searches actors (scraping programs of the upstream) by several requests, because the MCP server limits the number of
 * actors per request.
 */
async function searchActors({ keywords, limit, offset }: ActorSearch, mcp: Mcp): Promise<Json> {
  const { searchLimit } = await readServer(mcp);
  const actors: unknown[] = [];
  let last: Json = {};
  while (actors.length < limit) {
    const pageSize = Math.min(searchLimit, limit - actors.length);
    const result = await mcp.call('search-actors', {
      ...(keywords !== undefined && { keywords }),
      limit: pageSize,
      offset: offset + actors.length,
    });
    const output = structuredIn(result);
    if (output === undefined) return mcpData(result);
    const page = listIn(output, 'actors');
    actors.push(...page);
    last = withoutAdvice(output);
    if (page.length < pageSize) break;
  }
  return { ...last, actors, count: actors.length };
}

export const scrapermcp: Pick<Handlers, Extract<keyof Handlers, `scrapermcp_${string}`>> = {
  // Handler code, because a JSON tool definition cannot wait for the run of an actor (a scraping program). Only some
  // versions of the MCP server can wait themselves.
  scrapermcp_call_actor: async (toolInput, _send, mcpContext) => {
    const context = { ...mcpContext, server: await readServer(mcpContext.mcp) };
    const { actor, input, callOptions } = toolInput;
    const actorTool = readActorTool(actor);
    if (actorTool !== undefined) return callActorTool({ ...actorTool, input }, context);
    const call = { tool: 'call-actor', args: withoutUndefined({ actor, input, callOptions }) };
    // `waitSecs` exists only in the newer version of the tool's input schema, where it has a default value. The older
    // version has the input `async` instead.
    if ('waitSecs' in toolInput) return callFor(toolInput.waitSecs, call, context);
    if (toolInput.async === true) return startRun(call, context);
    return callAndWait({ ...call, items: toolInput.previewOutput ? PREVIEWED_ITEMS : 0 }, context);
  },

  // Handler code, because a JSON tool definition cannot find out whether the MCP server has a browser tool. If it has
  // none, the handler runs the browser as an actor (a scraping program).
  scrapermcp_rag_web_browser: async (input, _send, context) => {
    const server = await readServer(context.mcp);
    const { browserTool } = server;
    const call =
      browserTool === undefined
        ? { tool: 'call-actor', args: { actor: BROWSER, input } }
        : { tool: browserTool, args: { ...input } };
    return callAndWait({ ...call, items: input.maxResults }, { ...context, server });
  },

  // Handler code, because the versions of the MCP server describe a run of an actor (a scraping program) in different
  // formats, and omit ids of its storages. A JSON tool definition cannot unify the formats or request the missing ids.
  scrapermcp_get_actor_run: async ({ runId }, send, { mcp }) => {
    const run = await lookAt(runId, { mcp, server: await readServer(mcp) }, { waitSecs: 0 });
    return withStorageIds(run, send);
  },

  // Handler code, because a JSON tool definition cannot choose how to abort the run of an actor (a scraping program):
  // by the MCP server's tool, or by the REST API if the server has no such tool.
  scrapermcp_abort_run: async (input, send, { mcp }) =>
    abortRun(input, { mcp, send, server: await readServer(mcp) }),

  // Handler code, because a JSON tool definition cannot remove secrets from the log, shorten its lines, or choose the
  // source that has the requested lines.
  scrapermcp_get_run_log: async (input, send, { mcp }) =>
    readLog(input, { mcp, send, server: await readServer(mcp) }),

  // Handler code, because a JSON tool definition cannot shorten a large result and tell the caller how to read the
  // rest.
  scrapermcp_get_actor_output: async (input, _send, { mcp }) =>
    readOutput(input, { mcp, server: await readServer(mcp) }),

  // Handler code, because a JSON tool definition cannot send a varying number of requests. The MCP server limits the
  // number of actors per request.
  scrapermcp_search_actors: (input, _send, { mcp }) => searchActors(input, mcp),

  // Handler code, because a JSON tool definition cannot request all sections of an actor's details by default, or
  // shorten a long readme.
  scrapermcp_fetch_actor_details: async ({ actor, output }, _send, { mcp }) => {
    const result = await mcp.call('fetch-actor-details', { actor, output: chosenParts(output) });
    return withCutText(withoutAdvice(structuredIn(result) ?? mcpData(result)), 'readme');
  },
};

const DEFAULT_PARTS = [
  'description',
  'stats',
  'pricing',
  'rating',
  'metadata',
  'inputSchema',
  'readme',
  'outputSchema',
];

// Sections of an actor's details to request (an actor is a scraping program). Newer MCP servers return the output
// schema only if the request names it. All versions treat a missing flag as false once another flag is present.
function chosenParts(output: object = {}): Record<string, boolean> {
  const flags = Object.entries(output);
  if (flags.some(([, isChosen]) => isChosen)) return Object.fromEntries(flags);
  const refused = flags.map(([name]) => name);
  return Object.fromEntries(DEFAULT_PARTS.map((name) => [name, !refused.includes(name)]));
}
