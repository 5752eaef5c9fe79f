import { mcpData } from '@svc/catalog';
import { ServiceError } from '../../../errors.js';
import type { Mcp, McpContent, McpResult } from '../../handler.js';
import { partialFailure } from '../../partial-failure.js';
import type { Json } from '../json.js';
import { type ActorTool, findActorToolCall, type ToolCall } from './actor-tool.js';
import { blocksThatFit } from './cut.js';
import { readOutput } from './output.js';
import { isOver, lookAt, MAX_WAIT_SECS, type Run, type ServerContext, timeoutFor, toRun } from './run.js';
import { structuredIn } from './server.js';

/** MCP tool call that starts a run of an actor (a scraping program of the upstream). */
interface ActorCall extends ToolCall {
  /** Number of result items that the tool returns after the run of the actor (a scraping program). */
  readonly items: number;
}

const PASSED_THROUGH = 'mcp-passthrough';

/**
 * Maximum time in milliseconds that a tool call waits for the run of an actor (a scraping program). The rest of the
 * call's deadline is for its other requests.
 */
const WAIT_MS = 300_000;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 5000;

/**
 * Polls the run of an actor (a scraping program of the upstream) until it ends or `waitMs` has passed. Returns the last
 * state of the run.
 */
async function waitFor(
  run: Run,
  context: ServerContext,
  { startedAt, waitMs }: { readonly startedAt: number; readonly waitMs: number },
): Promise<Run> {
  const deadline = startedAt + waitMs;
  const left = () => deadline - context.now().getTime();
  let current = run;
  for (let polls = 0; !isOver(current) && left() > 0; polls += 1) {
    if (!context.server.waits) await context.sleep(Math.min(pauseBefore(polls), left()));
    const waitSecs = Math.min(MAX_WAIT_SECS, Math.ceil(left() / 1000));
    current = { ...current, ...(await lookAt(run.runId, context, { waitSecs: Math.max(0, waitSecs) })) };
  }
  return current;
}

// Returns the pause before a poll of a scraping run's state, in milliseconds: 0 before the first poll, then 1 s,
// doubled up to 5 s.
const pauseBefore = (polls: number): number =>
  polls === 0 ? 0 : Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (polls - 1));

/**
 * Calls a tool of an actor (a program of the upstream) that is itself an MCP server. Returns the content of the tool
 * result.
 */
export async function callActorTool(called: ActorTool, { mcp, server }: ServerContext): Promise<Json> {
  const call = async ({ tool, args }: ToolCall) => passedThrough((await begin(mcp, tool, args)).content);
  const first = findActorToolCall(called, server.tools);
  try {
    return await call(first);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'upstream_failed') throw error;
    // The tool of the first call may be missing, for example after an upgrade of the MCP server. Therefore the handler
    // reads the server's list of tools and looks for the tool that replaces it.
    const current = findActorToolCall(called, await mcp.tools());
    if (current.tool === first.tool) throw error;
    return call(current);
  }
}

/**
 * Starts a run of an actor (a scraping program of the upstream), and returns its first state without waiting for its
 * end.
 */
export async function startRun({ tool, args }: ToolCall, { mcp, server }: ServerContext): Promise<Json> {
  const atOnce = server.waits ? { waitSecs: 0 } : { async: true };
  return runIn(await begin(mcp, tool, { ...args, ...atOnce }));
}

/**
 * Starts a run of an actor (a scraping program of the upstream), waits for its end, and returns its state with its
 * first result items.
 */
export async function callAndWait(call: ActorCall, context: ServerContext): Promise<Json> {
  const run = await beginAndWait(call, context, { waitSecs: MAX_WAIT_SECS, waitMs: WAIT_MS });
  if (run.runId === PASSED_THROUGH) return run;
  return isOver(run) ? withItems(run, call.items, context) : { ...run, note: STILL_RUNNING };
}

/**
 * Starts a run of an actor (a scraping program of the upstream), waits up to `waitSecs` seconds for its end, and
 * returns its state.
 */
export function callFor(waitSecs: number, call: ToolCall, context: ServerContext): Promise<Json> {
  // An MCP server that accepts `waitSecs` waits for the end of the run itself, so the service does not poll the run's
  // state.
  const waitMs = context.server.waits ? 0 : waitSecs * 1000;
  return beginAndWait(call, context, { waitSecs, waitMs });
}

async function beginAndWait(
  { tool, args }: ToolCall,
  context: ServerContext,
  { waitSecs, waitMs }: { readonly waitSecs: number; readonly waitMs: number },
): Promise<Run> {
  // Older MCP servers return the id of the started run only after its end. `async: true` makes them return the id at
  // once, so that a timeout does not lose the run.
  const first = context.server.waits ? { waitSecs } : { async: true };
  const startedAt = context.now().getTime();
  const run = runIn(await begin(context.mcp, tool, { ...args, ...first }));
  if (run.runId === PASSED_THROUGH) return run;
  return waitFor(run, context, { startedAt, waitMs }).catch((error: unknown) => {
    const message = `The state of the run ${run.runId} could not be read. ${DO_NOT_REPEAT}`;
    throw partialFailure(error, message, { runId: run.runId });
  });
}

const DO_NOT_REPEAT =
  'The actor run was started, so do not call the actor again. Get the run with scrapermcp_get_actor_run and its runId.';
const STILL_RUNNING = `The run continues, because it takes longer than a call may wait. ${DO_NOT_REPEAT}`;
const UNKNOWN_RUN =
  "It is unknown whether the run was started. Before you repeat the call, check the latest runs in the upstream's console, because the call may start a second run.";

/**
 * Sends the request that starts a run of an actor (a scraping program). The request is never retried, because a retry
 * could start a second run.
 */
async function begin(mcp: Mcp, tool: string, args: Json): Promise<McpResult> {
  const waitSecs = typeof args['waitSecs'] === 'number' ? args['waitSecs'] : 0;
  try {
    return await mcp.call(tool, args, { timeoutMs: timeoutFor(waitSecs) });
  } catch (error) {
    const isOpen =
      error instanceof ServiceError &&
      (error.code === 'upstream_timeout' || error.code === 'connection_failed');
    throw isOpen ? partialFailure(error, UNKNOWN_RUN, { tool }) : error;
  }
}

// Reads the state of a run of an actor (a scraping program) from an MCP tool result. An actor that is an MCP server has
// no run, so the content of the tool result is returned instead.
function runIn(result: McpResult): Run {
  const output = structuredIn(result) ?? {};
  if (output['runId'] !== PASSED_THROUGH) return toRun(output);
  return { ...passedThrough(result.content), ...toRun(output) };
}

function passedThrough(blocks: readonly McpContent[]): Run {
  return { ...mcpData({ content: blocksThatFit(blocks) }), runId: PASSED_THROUGH };
}

async function withItems(run: Run, limit: number, context: ServerContext): Promise<Json> {
  const { runId, datasetId, status } = run;
  if (limit === 0 || status !== 'SUCCEEDED' || typeof datasetId !== 'string') return run;
  try {
    const { items, note } = await readOutput({ datasetId, limit, offset: 0 }, context);
    return { ...run, items, ...(note !== undefined && { note }) };
  } catch (error) {
    const message = `The run ${runId} succeeded, but its items could not be read. Read them with scrapermcp_get_actor_output and datasetId "${datasetId}".`;
    throw partialFailure(error, message, { runId, datasetId });
  }
}
