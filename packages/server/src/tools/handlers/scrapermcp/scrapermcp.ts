import { mcpData } from '@svc/catalog';
import type { Handlers } from '../../../generated/handlers.js';
import { given } from '../workspace/json.js';
import { callAndWait, callFor, startRun } from './call.js';
import { withCutText } from './cut.js';
import { readOutput } from './output.js';
import { lookAt, withStorageIds } from './run.js';
import { searchActors } from './search.js';
import { readServer, structuredIn, withoutAdvice } from './server.js';

const PREVIEWED_ITEMS = 10;
const BROWSER = 'apify/rag-web-browser';

export const scrapermcp: Pick<Handlers, Extract<keyof Handlers, `scrapermcp_${string}`>> = {
  // Waits for the run, as long as the version of the server lets it.
  scrapermcp_call_actor: async (toolInput, _send, mcpContext) => {
    const context = { ...mcpContext, server: await readServer(mcpContext.mcp) };
    const { actor, input, callOptions } = toolInput;
    const call = { tool: 'call-actor', args: given({ actor, input, callOptions }) };
    // Only the newer contract has it, and there it has a default.
    if ('waitSecs' in toolInput) return callFor(toolInput.waitSecs, call, context);
    if (toolInput.async === true) return startRun(call, context);
    return callAndWait({ ...call, items: toolInput.previewOutput ? PREVIEWED_ITEMS : 0 }, context);
  },

  // The same, with the tool or the actor that the server has for it.
  scrapermcp_rag_web_browser: async (input, _send, context) => {
    const server = await readServer(context.mcp);
    const { browserTool } = server;
    const call =
      browserTool === undefined
        ? { tool: 'call-actor', args: { actor: BROWSER, input } }
        : { tool: browserTool, args: { ...input } };
    return callAndWait({ ...call, items: input.maxResults }, { ...context, server });
  },

  // Tells a run in one form, whichever version of the server told of it, and asks for what it left out.
  scrapermcp_get_actor_run: async ({ runId }, send, { mcp }) => {
    const run = await lookAt(runId, { mcp, server: await readServer(mcp) }, { waitSecs: 0 });
    return withStorageIds(run, send);
  },

  // Cuts a result to what one may hold, and says how to read on.
  scrapermcp_get_actor_output: async (input, _send, { mcp }) =>
    readOutput(input, { mcp, server: await readServer(mcp) }),

  // As many requests as the server needs for the limit.
  scrapermcp_search_actors: (input, _send, { mcp }) => searchActors(input, mcp),

  // Names every part unless some are chosen, and cuts a long readme.
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

// Newer servers leave the output schema out unless it is named, and all versions read a missing flag beside another as false.
function chosenParts(output: object = {}): Record<string, boolean> {
  const flags = Object.entries(output);
  if (flags.some(([, isChosen]) => isChosen)) return Object.fromEntries(flags);
  const refused = flags.map(([name]) => name);
  return Object.fromEntries(DEFAULT_PARTS.map((name) => [name, !refused.includes(name)]));
}
