import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { failedResult, type McpTool, mcpTool, textResult } from '../../mcp/tool.js';
import { type Actor, fullName, type Item } from './actor.js';
import { RAG_WEB_BROWSER } from './actors.js';
import { catalogueTools } from './catalogue-tools.js';
import { datasetPage } from './dataset.js';
import { actorInput, actorOrTool, memory, offset, READS, RUNS, structured, timeout } from './inputs.js';
import { olderRun, restRun } from './present-run.js';
import type { Account, Run } from './runs.js';
import { startRun } from './start-run.js';
import { toolNamesOf } from './tool-selection.js';

/** Seconds that each status request advances a run, because these tools have no input for the waiting time. */
const SECONDS_PER_LOOK = 5;
const MAX_PREVIEW_CHARACTERS = 50_000;

/** Builds the tools of server versions up to 0.9.22. `call-actor` waits for the run and returns its items. */
export const olderTools = (account: Account): readonly McpTool[] => [
  ...catalogueTools({ maxActors: 100, silentFlags: ['mcpTools'] }),
  callActor(account),
  getActorRun(account),
  abortActorRun(account),
  getActorOutput(account),
  olderActorTool(account, RAG_WEB_BROWSER),
];

const callActor = (account: Account): McpTool =>
  mcpTool({
    name: 'call-actor',
    description: 'Runs an actor.',
    input: z.object({
      actor: actorOrTool,
      input: actorInput,
      async: z.boolean().default(false),
      previewOutput: z.boolean().default(true),
      callOptions: z.object({ memory: memory.optional(), timeout: timeout.optional() }).optional(),
    }),
    annotations: RUNS,
    run({ async, previewOutput, ...input }) {
      const started = startRun(account, input);
      if ('result' in started) return started.result;
      return async ? startedRun(started.run) : finishedRun(account, started.run, previewOutput);
    },
  });

function startedRun({ id, actor, startedAt, input }: Run): CallToolResult {
  const data = {
    runId: id,
    actorName: fullName(actor),
    status: 'READY',
    startedAt: new Date(startedAt).toISOString(),
    input,
  };
  return structured(data, `Started run ${id}. Use get-actor-run to see how it goes.`);
}

function finishedRun(account: Account, run: Run, previewOutput: boolean): CallToolResult {
  account.wait(run, run.seconds);
  const items = account.items(run.datasetId) ?? [];
  return structured({
    runId: run.id,
    datasetId: run.datasetId,
    itemCount: items.length,
    items: previewOutput ? cutToSize(items) : [],
    instructions: `Use get-actor-output with datasetId "${run.datasetId}".`,
  });
}

function cutToSize(items: readonly Item[]): readonly Item[] {
  let length = 0;
  return items.filter((item) => {
    length += JSON.stringify(item).length;
    return length <= MAX_PREVIEW_CHARACTERS;
  });
}

const getActorRun = (account: Account): McpTool =>
  mcpTool({
    name: 'get-actor-run',
    description: 'Gives a run.',
    input: z.object({ runId: z.string().min(1) }),
    annotations: READS,
    run({ runId }) {
      const run = account.run(runId);
      if (run === undefined) return failedResult(`Run with ID '${runId}' was not found.`);
      account.wait(run, SECONDS_PER_LOOK);
      return structured(olderRun(account, run));
    },
  });

const abortActorRun = (account: Account): McpTool =>
  mcpTool({
    name: 'abort-actor-run',
    description: 'Aborts a run that is starting or running.',
    input: z.object({ runId: z.string().min(1), gracefully: z.boolean().optional() }),
    annotations: { ...READS, readOnlyHint: false, destructiveHint: true },
    run({ runId, gracefully = false }) {
      const run = account.run(runId);
      if (run === undefined) return failedResult(`Run with ID '${runId}' was not found.`);
      account.abort(run, gracefully);
      return textResult(`\`\`\`json\n${JSON.stringify(restRun(account, run))}\n\`\`\``);
    },
  });

const getActorOutput = (account: Account): McpTool =>
  mcpTool({
    name: 'get-actor-output',
    description: 'Gives the output of an actor run.',
    input: z.object({
      datasetId: z.string().min(1),
      fields: z.string().optional(),
      limit: z.number().int().min(1).default(100),
      offset,
    }),
    annotations: READS,
    run({ datasetId, fields, limit, offset: skipped }) {
      const items = account.items(datasetId);
      if (items === undefined) return failedResult(`Dataset '${datasetId}' was not found.`);
      return structured(datasetPage(datasetId, items, { fields, offset: skipped, limit }));
    },
  });

export const olderActorTool = (account: Account, actor: Actor): McpTool =>
  mcpTool({
    ...toolNamesOf(actor),
    description: actor.description,
    input: actor.input,
    annotations: RUNS,
    run(input) {
      const started = startRun(account, { actor: fullName(actor), input });
      return 'result' in started ? started.result : finishedRun(account, started.run, true);
    },
  });
