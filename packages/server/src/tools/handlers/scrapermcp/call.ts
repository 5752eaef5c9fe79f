import { mcpData } from '@svc/catalog';
import { ServiceError } from '../../../errors.js';
import type { Mcp, McpResult } from '../../handler.js';
import { partialFailure } from '../../partial-failure.js';
import type { Json } from '../workspace/json.js';
import { blocksThatFit } from './cut.js';
import { readOutput } from './output.js';
import { isOver, MAX_WAIT_SECS, type Run, type ServerContext, timeoutFor, toRun } from './run.js';
import { structuredIn } from './server.js';
import { WAIT_MS, waitFor } from './wait.js';

/** A call of an actor's tool. */
interface ToolCall {
  readonly tool: string;
  readonly args: Json;
}

/** The same, and what it may bring along. */
export interface ActorCall extends ToolCall {
  /** How many items of the result come along; none for 0. */
  readonly items: number;
}

const PASSED_THROUGH = 'mcp-passthrough';

/** Starts a run and gives it at once. */
export async function startRun({ tool, args }: ToolCall, { mcp, server }: ServerContext): Promise<Json> {
  const atOnce = server.waits ? { waitSecs: 0 } : { async: true };
  return runIn(await begin(mcp, tool, { ...args, ...atOnce }));
}

/** Starts a run, waits until it is over, and gives it with its first items. */
export async function callAndWait(call: ActorCall, context: ServerContext): Promise<Json> {
  const run = await beginAndWait(call, context, { waitSecs: MAX_WAIT_SECS, waitMs: WAIT_MS });
  if (run.runId === PASSED_THROUGH) return run;
  return isOver(run) ? withItems(run, call.items, context) : { ...run, note: STILL_RUNNING };
}

/** Starts a run and gives it as it is after some seconds, over or not. */
export function callFor(waitSecs: number, call: ToolCall, context: ServerContext): Promise<Json> {
  // A server that waits by itself is not asked a second time.
  const waitMs = context.server.waits ? 0 : waitSecs * 1000;
  return beginAndWait(call, context, { waitSecs, waitMs });
}

async function beginAndWait(
  { tool, args }: ToolCall,
  context: ServerContext,
  { waitSecs, waitMs }: { readonly waitSecs: number; readonly waitMs: number },
): Promise<Run> {
  // An older server would tell the run's id only after its end, and nobody could find a run that takes too long.
  const first = context.server.waits ? { waitSecs } : { async: true };
  const startedAt = context.now().getTime();
  const run = runIn(await begin(context.mcp, tool, { ...args, ...first }));
  if (run.runId === PASSED_THROUGH) return run;
  return waitFor(run, context, { startedAt, waitMs }).catch((error: unknown) => {
    const message = `Run ${run.runId} was started, and looking at it failed. ${DO_NOT_REPEAT}`;
    throw partialFailure(error, message, { runId: run.runId });
  });
}

const DO_NOT_REPEAT =
  'Do not call the actor again, which would start a second run: give the runId to scrapermcp_get_actor_run';
const STILL_RUNNING = `The run takes longer than a call may wait, and goes on. ${DO_NOT_REPEAT}.`;
const UNKNOWN_RUN =
  'It is not known whether the run was started. Look at the latest runs in the console before the actor is called again, which may start a second run';

/** The one request that may start a run. It is never repeated. */
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

// An actor that is an MCP server answers by itself: there is no run, and what it says stands in the content.
function runIn(result: McpResult): Run {
  const answer = structuredIn(result) ?? {};
  if (answer['runId'] !== PASSED_THROUGH) return toRun(answer);
  const content = blocksThatFit(result.content);
  return { ...mcpData({ content }), ...toRun(answer) };
}

async function withItems(run: Run, limit: number, context: ServerContext): Promise<Json> {
  const { runId, datasetId, status } = run;
  if (limit === 0 || status !== 'SUCCEEDED' || typeof datasetId !== 'string') return run;
  try {
    const { items, note } = await readOutput({ datasetId, limit, offset: 0 }, context);
    return { ...run, items, ...(note !== undefined && { note }) };
  } catch (error) {
    const message = `Run ${runId} succeeded, and reading its items failed. Read them by scrapermcp_get_actor_output with datasetId "${datasetId}"`;
    throw partialFailure(error, message, { runId, datasetId });
  }
}
