import { isJsonObject, segment } from '@svc/catalog';
import { ServiceError } from '../../../errors.js';
import type { HandlerContext, Mcp, Send } from '../../handler.js';
import { given, type Json, objectIn } from '../workspace/json.js';
import { type ScraperServer, structuredIn, withoutAdvice } from './server.js';

/** A run, told in the same way whichever version of the server told of it. */
export interface Run extends Json {
  readonly runId: string;
  readonly status?: unknown;
  readonly datasetId?: unknown;
  readonly itemCount?: unknown;
}

/** What following a run needs. */
export interface ServerContext extends Pick<HandlerContext, 'now' | 'sleep'> {
  readonly mcp: Mcp;
  readonly server: ScraperServer;
}

/** The longest that one request waits for a run. */
export const MAX_WAIT_SECS = 45;
const OVER = ['SUCCEEDED', 'FAILED', 'TIMED-OUT', 'ABORTED'];
/** What a call may take beyond the wait that it asks for. */
const ANSWER_MS = 45_000;

export const isOver = ({ status }: Run): boolean => typeof status === 'string' && OVER.includes(status);

export const timeoutFor = (waitSecs: number): number => waitSecs * 1000 + ANSWER_MS;

const within = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce((part, name) => (isJsonObject(part) ? part[name] : undefined), value);

/** The run in an answer. Newer servers name its storages in a tree, older ones beside the run. */
export function toRun(answer: Json): Run {
  const { runId, ...rest } = withoutAdvice(answer);
  if (typeof runId !== 'string') {
    throw new ServiceError(
      'upstream_failed',
      'The upstream ended the call without saying what became of it',
      {
        body: answer,
      },
    );
  }
  const dataset = within(rest, 'storages', 'datasets', 'default');
  const storeId = within(rest, 'storages', 'keyValueStores', 'default', 'id');
  return {
    runId,
    ...rest,
    ...given({
      datasetId: rest['datasetId'] ?? within(rest, 'dataset', 'datasetId') ?? within(dataset, 'id'),
      itemCount: rest['itemCount'] ?? within(rest, 'dataset', 'itemCount') ?? within(dataset, 'itemCount'),
      keyValueStoreId: rest['keyValueStoreId'] ?? storeId,
    }),
  };
}

/** Looks at a run; a server that can wait does so for at most `waitSecs`. */
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

/** A run with the ids of its three storages. No version of the server gives them all, so the REST API tells the rest. */
export async function withStorageIds(run: Run, send: Send): Promise<Run> {
  if (['datasetId', 'keyValueStoreId', 'requestQueueId'].every((name) => typeof run[name] === 'string'))
    return run;
  const path = `/v2/actor-runs/${segment(run.runId, 'runId')}`;
  const { data } = objectIn(await send({ method: 'GET', host: 'api', path }), 'a run');
  const { defaultDatasetId, defaultKeyValueStoreId, defaultRequestQueueId } = objectIn(data, 'a run');
  return {
    ...given({
      datasetId: defaultDatasetId,
      keyValueStoreId: defaultKeyValueStoreId,
      requestQueueId: defaultRequestQueueId,
    }),
    ...run,
  };
}
