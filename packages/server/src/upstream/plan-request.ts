import { type Method, parseJson } from '@svc/catalog';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { createFindConnector, type ForwardOptions } from './forward.js';
import type { QueryValue, UpstreamRequest } from './request.js';
import { createBuildTarget } from './target.js';

/** Request as it would be sent upstream, without credentials. A dry run returns it. */
export interface PlannedRequest {
  readonly method: Method;
  /** Host name, with the port if it is not the default one. */
  readonly host: string;
  /** Path, including the path of the base URL. */
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  /** Headers that tell the upstream how to read the request, such as the content type. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Returns an object with `values` under `name`, or an empty object when there are no values. */
const filled = <Name extends string, Value>(name: Name, values: Record<string, Value>) =>
  (Object.keys(values).length === 0 ? {} : { [name]: values }) as {
    readonly [Key in Name]?: Record<string, Value>;
  };

export type PlanRequest = ReturnType<typeof createPlanRequest>;

const without = <Value>(entries: Readonly<Record<string, Value | undefined>>): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(entries).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** Converts alternating header names and values to an object. */
function headersIn(raw: readonly string[]): Record<string, string> {
  const pairs = raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));
  return Object.fromEntries(pairs.filter(([name]) => name !== 'user-agent'));
}

export function createPlanRequest({ connectors }: Pick<ForwardOptions, 'connectors'>) {
  const findConnector = createFindConnector(connectors);
  const buildTarget = createBuildTarget();
  /**
   * Describes the request that a call would send. Throws each error that the real call would throw before its first
   * byte.
   */
  return function planRequest(
    account: ResolvedAccount,
    { method, host, path, query = {}, headers = {}, body }: UpstreamRequest,
  ): PlannedRequest {
    const { baseUrl, host: destination } = findConnector(account.connector).destinationOf(account, host);
    const target = buildTarget(baseUrl, { path });
    // Copies the body as JSON, so that later changes of the input do not change the plan.
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
