import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillPath, readOpenApi } from '../support/requests/operations.js';
import { watchRoutes } from '../support/requests/registered-routes.js';
import { fetchReply, type Reply, signIn } from '../support/service/application.js';
import { type SignedInOperator, signInOperator } from '../support/service/operator.js';
import { type Service, startService } from '../support/service/service.js';

interface Route {
  readonly method: string;
  readonly path: string;
}

const watched = watchRoutes();
let service: Service;
let operator: SignedInOperator;
let accessToken: string;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  operator = await signInOperator({
    url: service.url,
    ...(await service.app.operators.create('ada', 'owner')),
  });
  ({ accessToken } = await signIn(service));
});
afterAll(async () => {
  watched.stop();
  await service.stop();
});

/** Methods of operations. The proxy accepts further methods, with the same code. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Lists the operations of the service: registered routes, and documented operations that bypass the framework. */
async function operationsOfService(): Promise<readonly Route[]> {
  const { paths } = await readOpenApi(service.url);
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  );
  // The documented operations come first. The MCP endpoints share one name, of which a minute has few places.
  const all = [...documented, ...watched.of(service.app.server)].filter(({ method }) =>
    METHODS.includes(method),
  );
  return [...new Map(all.map(({ method, path }) => [`${method} ${path}`, { method, path }])).values()];
}

/** Sends a request that most operations refuse: its ids and its query parameter do not exist. */
function provoke({ method, path }: Route, headers: Readonly<Record<string, string>>): Promise<Reply> {
  const named = fillPath(
    path,
    Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'none'])),
  );
  return fetchReply(`${service.url}${named}?none=1`, { method, headers, redirect: 'manual' });
}

/** Returns the causes that the search finds by the request id of a response. */
async function causesOf({ headers }: Reply): Promise<readonly (string | undefined)[]> {
  const found = await operator.call('GET', `/search?q=${headers.get('svc-request-id')}`);
  return found
    .json<{ groups: readonly { kind: string; items: readonly { state?: string }[] }[] }>()
    .groups.filter(({ kind }) => kind === 'execution' || kind === 'failedRequest')
    .flatMap(({ items }) => items.map(({ state }) => state));
}

const isForApplications = ({ path }: Route): boolean => /^\/(?:v1|mcp)\//.test(path);

test('the request id of each error of every operation finds its cause', { timeout: 120_000 }, async () => {
  const operations = await operationsOfService();
  const withToken = { authorization: `Bearer ${accessToken}` };
  const requests = [
    ...operations.map((operation) => ({ operation, headers: {} })),
    ...operations.filter(isForApplications).map((operation) => ({ operation, headers: withToken })),
  ];
  const lost: string[] = [];
  const failed = new Set<Route>();
  for (const { operation, headers } of requests) {
    const reply = await provoke(operation, headers);
    if (reply.status < 400) continue;
    failed.add(operation);
    const causes = await causesOf(reply);
    const code = reply.headers.get('svc-error');
    if (code === null || causes.join() !== code)
      lost.push(`${operation.method} ${operation.path}: ${reply.status} ${code}, found ${causes.join()}`);
  }
  expect(lost).toEqual([]);
  const needsCredentials = ({ path }: Route) => /^\/(?:v1|mcp|operator\/v1)\//.test(path);
  const unrefused = operations.filter((operation) => needsCredentials(operation) && !failed.has(operation));
  expect(unrefused.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});
