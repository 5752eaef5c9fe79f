import type { Method } from '@svc/catalog';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { createFindConnector, type ForwardOptions } from './forward.js';
import type { QueryValue, UpstreamRequest } from './request.js';
import { createBuildTarget } from './target.js';

/** A request as it would go out, without anything that stands for a credential. */
export interface PlannedRequest {
  readonly method: Method;
  /** With its port, where that is not the usual one. */
  readonly host: string;
  /** With that of the base URL. */
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  /** Those that tell the upstream how to read the request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** As a field of that name; no field where there is nothing in it. */
const filled = <Name extends string, Value>(name: Name, values: Record<string, Value>) =>
  (Object.keys(values).length === 0 ? {} : { [name]: values }) as {
    readonly [Key in Name]?: Record<string, Value>;
  };

/** What would be sent. Throws what sending it would throw before anything goes out. */
export type PlanRequest = (account: ResolvedAccount, request: UpstreamRequest) => PlannedRequest;

const without = <Value>(entries: Readonly<Record<string, Value | undefined>>): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(entries).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** Names and values in turn, as an object. */
function headersIn(raw: readonly string[]): Record<string, string> {
  const pairs = raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));
  return Object.fromEntries(pairs.filter(([name]) => name !== 'user-agent'));
}

export function createPlanRequest({ connectors }: Pick<ForwardOptions, 'connectors'>): PlanRequest {
  const findConnector = createFindConnector(connectors);
  const buildTarget = createBuildTarget();
  return (account, { method, host, path, query = {}, headers = {}, body }) => {
    const { baseUrl, host: destination } = findConnector(account.connector).destinationOf(account, host);
    const target = buildTarget(baseUrl, path);
    // A copy of what JSON makes of it, so that nothing can change it afterwards.
    const sentBody: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body));
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
