import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { failedResult, type McpTool, mcpTool, type ReportProgress, textResult } from '../../mcp/tool.js';
import { type Actor, fullName } from './actor.js';
import { findActor, RAG_WEB_BROWSER } from './actors.js';
import { catalogueTools } from './catalogue-tools.js';
import { datasetPage } from './dataset.js';
import { actorInput, actorOrTool, memory, offset, READS, RUNS, structured, timeout } from './inputs.js';
import { costOf, newerRun } from './present-run.js';
import { findStorage, type Storages } from './rest/storages.js';
import { logOf } from './run-log.js';
import type { Account, Run } from './runs.js';
import { callToolOf, type Started, startRun } from './start-run.js';
import { toolNamesOf } from './tool-selection.js';

const waitSecs = z.int().min(0).max(45).default(30);

/**
 * Builds the tools of server versions from 0.10.6. `call-actor` returns the run, and another tool fetches the items.
 */
export const newerTools = (account: Account, storages: Storages): readonly McpTool[] => [
  callActor(account, actorOrTool),
  ...commonTools(account, storages),
];

/**
 * Builds the tools of server versions from 0.20. `call-actor` only runs actors, and a separate tool calls tools of MCP
 * server actors.
 */
export const newestTools = (account: Account, storages: Storages): readonly McpTool[] => [
  callActor(account, actorName),
  callActorMcpTool,
  ...commonTools(account, storages),
];

const commonTools = (account: Account, storages: Storages): readonly McpTool[] => [
  ...catalogueTools({ maxActors: 10, silentFlags: ['mcpTools', 'outputSchema'] }),
  getActorRun(account),
  abortActorRun(account),
  getActorRunLog(account),
  getDatasetItems(account, storages),
  newerActorTool(account, RAG_WEB_BROWSER),
];

async function resultAfter(
  account: Account,
  run: Run,
  { seconds, report }: { seconds: number; report: ReportProgress },
): Promise<CallToolResult> {
  if (account.status(run) === 'RUNNING' && seconds > 0) {
    await report(0, seconds, `Run ${run.id} is RUNNING`);
    account.wait(run, seconds);
    await report(seconds, seconds, `Run ${run.id} is ${account.status(run)}`);
  }
  const data = newerRun(account, run);
  return { ...structured(data, data.summary), _meta: costOf(run) };
}

async function resultOfStarted(
  account: Account,
  started: Started,
  wait: { seconds: number; report: ReportProgress },
): Promise<CallToolResult> {
  return 'result' in started ? started.result : resultAfter(account, started.run, wait);
}

const actorName = z
  .string()
  .min(1)
  .regex(/^[^:]+$/)
  .describe('Name of the Actor.');

const callActor = (account: Account, actor: z.ZodString): McpTool =>
  mcpTool({
    name: 'call-actor',
    description: 'Runs an actor.',
    input: z.object({
      actor,
      input: actorInput,
      waitSecs,
      callOptions: z
        .object({
          memory: memory.optional(),
          timeout: timeout.optional(),
          build: z.string().optional(),
          maxItems: z.int().min(1).optional(),
          maxTotalChargeUsd: z.number().min(0).optional(),
        })
        .optional(),
    }),
    annotations: RUNS,
    run: (input, report) =>
      resultOfStarted(account, startRun(account, input), { seconds: input.waitSecs, report }),
  });

// The real tool's name is not publicly documented, so clients must find the tool by its input schema.
const callActorMcpTool = mcpTool({
  name: 'call-actor-mcp-tool',
  description: 'Calls a tool of an Actor that is an MCP server.',
  input: z.object({ actor: actorName, tool: z.string().min(1), input: actorInput }),
  annotations: RUNS,
  run({ actor: name, tool, input }) {
    const actor = findActor(name);
    return actor === undefined
      ? failedResult(`Actor ${name} was not found.`)
      : callToolOf({ actor, tool, input, hint: 'list its tools by fetch-actor-details' });
  },
});

const getActorRun = (account: Account): McpTool =>
  mcpTool({
    name: 'get-actor-run',
    description: 'Gives a run, after waiting for its end.',
    input: z.object({ runId: z.string().min(1), waitSecs }),
    annotations: READS,
    run({ runId, waitSecs: seconds }, report) {
      const run = account.run(runId);
      if (run === undefined) return notFound(runId);
      return resultAfter(account, run, { seconds, report });
    },
  });

const notFound = (runId: string) => failedResult(`Run with ID '${runId}' was not found.`);

const abortActorRun = (account: Account): McpTool =>
  mcpTool({
    name: 'abort-actor-run',
    description: 'Aborts a run that is starting or running.',
    input: z.object({ runId: z.string().min(1), gracefully: z.boolean().optional() }),
    annotations: { ...READS, readOnlyHint: false, destructiveHint: true },
    run({ runId, gracefully = false }) {
      const run = account.run(runId);
      if (run === undefined) return notFound(runId);
      account.abort(run, gracefully);
      const { actorName: _, ...data } = newerRun(account, run);
      return structured(data, data.summary);
    },
  });

const getActorRunLog = (account: Account): McpTool =>
  mcpTool({
    name: 'get-actor-run-log',
    description: 'Gives the last lines of the log of a run.',
    input: z.object({ runId: z.string(), lines: z.number().max(50).default(10) }),
    annotations: READS,
    run({ runId, lines }) {
      const run = account.run(runId);
      if (run === undefined) return notFound(runId);
      const log = logOf(account, run).trimEnd().split('\n').slice(-lines).join('\n');
      return { ...textResult(log), structuredContent: { log } };
    },
  });

const getDatasetItems = (account: Account, storages: Storages): McpTool =>
  mcpTool({
    name: 'get-dataset-items',
    description: 'Gives items of a dataset.',
    input: z.object({
      datasetId: z.string().min(1),
      clean: z.boolean().optional(),
      fields: z.string().optional(),
      omit: z.string().optional(),
      flatten: z.string().optional(),
      desc: z.boolean().optional(),
      limit: z.number().int().min(1).default(20),
      offset,
    }),
    annotations: READS,
    run({ datasetId, fields, omit, clean, limit, offset: skipped, desc = false }) {
      const items = account.items(datasetId) ?? findStorage(storages.datasets, datasetId)?.items;
      if (items === undefined) return failedResult(`Dataset '${datasetId}' was not found.`);
      const ordered = desc ? items.toReversed() : items;
      const page = datasetPage(datasetId, ordered, {
        ...{ fields, omit, skipHidden: clean, skipEmpty: clean },
        offset: skipped,
        limit,
      });
      const summary = `${page.itemCount} of ${page.totalItemCount} items.`;
      return structured({ ...page, summary, nextStep: 'Use get-dataset-items with a larger offset.' });
    },
  });

export const newerActorTool = (account: Account, actor: Actor): McpTool =>
  mcpTool({
    ...toolNamesOf(actor),
    description: actor.description,
    input: actor.input.extend({ waitSecs }),
    annotations: RUNS,
    run({ waitSecs: given, ...input }, report) {
      const seconds = waitSecs.parse(given);
      return resultOfStarted(account, startRun(account, { actor: fullName(actor), input }), {
        seconds,
        report,
      });
    },
  });
