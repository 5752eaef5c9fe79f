import { type Method, parseJson } from '@svc/catalog';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { createFindConnector, type ForwardOptions } from './forward.js';
import type { QueryValue, UpstreamRequest } from './request.js';
import { createBuildTarget } from './target.js';

/** Upstream request that a dry run returns. It contains no credentials. */
export interface PlannedRequest {
  readonly method: Method;
  /** Host name of the upstream, with the port if it is not the default port. */
  readonly host: string;
  /** Path of the request, including the path of the base URL. */
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  /** Request headers that tell the upstream how to interpret the request, such as the content type. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Returns an object with `values` under the key `name`. Returns an empty object if there are no values. */
const filled = <Name extends string, Value>(name: Name, values: Record<string, Value>) =>
  (Object.keys(values).length === 0 ? {} : { [name]: values }) as {
    readonly [Key in Name]?: Record<string, Value>;
  };

export type PlanRequest = ReturnType<typeof createPlanRequest>;

const without = <Value>(entries: Readonly<Record<string, Value | undefined>>): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(entries).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** Converts a list of alternating header names and values to an object. Omits the User-Agent. */
function headersIn(raw: readonly string[]): Record<string, string> {
  const pairs = raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));
  return Object.fromEntries(pairs.filter(([name]) => name !== 'user-agent'));
}

export function createPlanRequest({ connectors }: Pick<ForwardOptions, 'connectors'>) {
  const findConnector = createFindConnector(connectors);
  const buildTarget = createBuildTarget();
  /**
   * Describes the upstream request that a call would send. Throws each error that the real call would throw before it
   * sends its request.
   */
  return function planRequest(
    account: ResolvedAccount,
    { method, host, path, query = {}, headers = {}, body }: UpstreamRequest,
  ): PlannedRequest {
    const { destinationOf, encodedSlashes } = findConnector(account.connector);
    const { baseUrl, host: destination } = destinationOf(account, host);
    const target = buildTarget(baseUrl, { path, encodedSlashes });
    // Copies the body through JSON, so that later changes to the original do not affect the dry run.
    const sentBody: unknown = body === undefined ? undefined : parseJson(JSON.stringify(body));
    return {
      method,
      host: new URL(target.origin).host,
      path: target.path,
      ...filled('query', without(query)),
      ...filled('headers', headersIn(destination.headers(Object.entries(without(headers)).flat()))),
      ...(sentBody !== undefined && { body: sentBody }),
    };
  };
}
