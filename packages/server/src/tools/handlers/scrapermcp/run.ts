import { isJsonObject, segment } from '@svc/catalog';
import { ServiceError } from '../../../errors.js';
import type { HandlerContext, Mcp, Send } from '../../handler.js';
import { type Json, objectIn, withoutUndefined } from '../json.js';
import { type ScraperServer, structuredIn, withoutAdvice } from './server.js';

/**
 * Run of an actor (a scraping program of the upstream) in a uniform format, because versions of the MCP server return
 * runs in different formats.
 */
export interface Run extends Json {
  readonly runId: string;
  readonly status?: unknown;
  readonly datasetId?: unknown;
  readonly itemCount?: unknown;
}

/** Clock, pause function and MCP server that are needed to start, poll and abort runs of scraping programs. */
export interface ServerContext extends Pick<HandlerContext, 'now' | 'sleep'> {
  readonly mcp: Mcp;
  readonly server: ScraperServer;
}

/** Maximum time in seconds that one request waits until the run of an actor (a scraping program) ends. */
export const MAX_WAIT_SECS = 45;
const OVER = ['SUCCEEDED', 'FAILED', 'TIMED-OUT', 'ABORTED'];
/**
 * Maximum duration in milliseconds of a request about a run of an actor (a scraping program). The time `waitSecs` of
 * the request is added to it.
 */
const RESPONSE_MS = 45_000;

export const isOver = ({ status }: Run): boolean => typeof status === 'string' && OVER.includes(status);

export const timeoutFor = (waitSecs: number): number => waitSecs * 1000 + RESPONSE_MS;

const valueAt = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce((part, name) => (isJsonObject(part) ? part[name] : undefined), value);

/**
 * Converts a run of an actor (a scraping program), as the MCP server returned it, to the uniform format `Run`. Newer
 * servers return the storage ids in a `storages` tree, older servers as fields of the run.
 */
export function toRun(output: Json): Run {
  const { runId, ...rest } = withoutAdvice(output);
  if (typeof runId !== 'string') {
    throw new ServiceError(
      'upstream_failed',
      'The upstream ended the call without a result. Check the latest runs in the console of the upstream before you call again.',
      {
        body: output,
      },
    );
  }
  const dataset = valueAt(rest, 'storages', 'datasets', 'default');
  const storeId = valueAt(rest, 'storages', 'keyValueStores', 'default', 'id');
  return {
    runId,
    ...rest,
    ...withoutUndefined({
      datasetId: rest['datasetId'] ?? valueAt(rest, 'dataset', 'datasetId') ?? valueAt(dataset, 'id'),
      itemCount: rest['itemCount'] ?? valueAt(rest, 'dataset', 'itemCount') ?? valueAt(dataset, 'itemCount'),
      keyValueStoreId: rest['keyValueStoreId'] ?? storeId,
    }),
  };
}

/**
 * Reads the state of the run of an actor (a scraping program). An MCP server that accepts `waitSecs` waits up to that
 * time for the end of the run.
 */
export async function lookAt(
  runId: string,
  { mcp, server }: Pick<ServerContext, 'mcp' | 'server'>,
  { waitSecs }: { waitSecs: number },
): Promise<Run> {
  const result = await mcp.call(
    'get-actor-run',
    { runId, ...(server.waits && { waitSecs }) },
    { timeoutMs: timeoutFor(waitSecs) },
  );
  return toRun({ runId, ...structuredIn(result) });
}

/**
 * Adds the ids of the three storages of an actor's run (a run of a scraping program). No version of the MCP server
 * returns all ids, so the platform's REST API provides the missing ids.
 */
export async function withStorageIds(run: Run, send: Send): Promise<Run> {
  if (['datasetId', 'keyValueStoreId', 'requestQueueId'].every((name) => typeof run[name] === 'string'))
    return run;
  const path = `/v2/actor-runs/${segment(run.runId, 'runId')}`;
  const { datasetId, keyValueStoreId, requestQueueId } = restRun(
    await send({ method: 'GET', host: 'api', path }),
  );
  return { ...withoutUndefined({ datasetId, keyValueStoreId, requestQueueId }), ...run };
}

/**
 * Converts a run of an actor (a scraping program), as the platform's REST API returned it, to the uniform format `Run`.
 * `null` in the response means that a value is not known yet.
 */
function restRun(output: unknown): Run {
  const { data } = objectIn(output, 'a run');
  const { id, actId, status, statusMessage, startedAt, finishedAt, ...rest } = objectIn(data, 'a run');
  const run = {
    runId: id,
    actorId: actId,
    ...{ status, statusMessage, startedAt, finishedAt },
    datasetId: rest['defaultDatasetId'],
    keyValueStoreId: rest['defaultKeyValueStoreId'],
    requestQueueId: rest['defaultRequestQueueId'],
  };
  return toRun(Object.fromEntries(Object.entries(run).filter(([, value]) => value != null)));
}

interface Abort {
  readonly runId: string;
  readonly gracefully: boolean;
}

const ABORT_TOOL = 'abort-actor-run';

/**
 * Aborts a run of an actor (a scraping program of the upstream) and returns the state of the run. A run that has
 * already ended does not change.
 */
export async function abortRun(
  { runId, gracefully }: Abort,
  { mcp, server, send }: Pick<ServerContext, 'mcp' | 'server'> & { readonly send: Send },
): Promise<Run> {
  if (!server.has(ABORT_TOOL)) {
    const path = `/v2/actor-runs/${segment(runId, 'runId')}/abort`;
    return restRun(await send({ method: 'POST', host: 'api', path, query: { gracefully } }));
  }
  const output = structuredIn(await mcp.call(ABORT_TOOL, { runId, gracefully }));
  // Older MCP servers respond to the abort of a run with plain text, so the state of the run is read again.
  return output === undefined ? lookAt(runId, { mcp, server }, { waitSecs: 0 }) : toRun(output);
}
