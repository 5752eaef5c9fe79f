import { type Method, parseJson } from '@svc/catalog';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { createFindConnector, type ForwardOptions } from './forward.js';
import type { QueryValue, UpstreamRequest } from './request.js';
import { createBuildTarget } from './target.js';

/** A request as it would be sent, without credentials. */
export interface PlannedRequest {
  readonly method: Method;
  /** Host, with its port if that is not the default. */
  readonly host: string;
  /** Path, with that of the base URL. */
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  /** Headers that tell the upstream how to read the request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Returns an object with the values under this name, or an empty object if there are none. */
const filled = <Name extends string, Value>(name: Name, values: Record<string, Value>) =>
  (Object.keys(values).length === 0 ? {} : { [name]: values }) as {
    readonly [Key in Name]?: Record<string, Value>;
  };

export type PlanRequest = ReturnType<typeof createPlanRequest>;

const without = <Value>(entries: Readonly<Record<string, Value | undefined>>): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(entries).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** Alternating names and values, as an object. */
function headersIn(raw: readonly string[]): Record<string, string> {
  const pairs = raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));
  return Object.fromEntries(pairs.filter(([name]) => name !== 'user-agent'));
}

export function createPlanRequest({ connectors }: Pick<ForwardOptions, 'connectors'>) {
  const findConnector = createFindConnector(connectors);
  const buildTarget = createBuildTarget();
  /** Describes what would be sent. Throws every error that sending would throw before the first byte. */
  return function planRequest(
    account: ResolvedAccount,
    { method, host, path, query = {}, headers = {}, body }: UpstreamRequest,
  ): PlannedRequest {
    const { baseUrl, host: destination } = findConnector(account.connector).destinationOf(account, host);
    const target = buildTarget(baseUrl, { path });
    // A copy in JSON, which no later code can change.
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
