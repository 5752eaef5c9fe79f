import { expect } from 'vitest';
import { type Application, fetchReply, type Reply, signIn } from '../service/application.js';
import { createAuthenticator } from '../service/authenticator.js';
import { signInOperator } from '../service/operator.js';
import { connectAccount, type Service } from '../service/service.js';
import { applicationOperationsOf, fillPath, readOpenApi } from './operations.js';
import type { watchRoutes } from './registered-routes.js';

export interface Route {
  readonly method: string;
  readonly path: string;
}

export const OPERATOR = '/operator/v1';
/** Matches the path prefix of operator routes that also exist in the application API, there with the prefix `/v1`. */
const SHARED =
  /^\/operator\/v1(\/applications\/\{applicationId\}(?=\/(?!client-secrets))|(?=\/(connectors|tools|tool-summaries)))/;
const TOOL = 'workspace_users_list';

const bodiesOf = (accountId: string, password: string): Readonly<Record<string, object>> => ({
  'POST /v1/connections': { connectionName: 'another', connector: 'calendar' },
  'PATCH /v1/connections/{connectionName}': { clientSecret: 'another' },
  'PUT /v1/connections/{connectionName}/accounts/{identifier}': {},
  'POST /v1/accounts/verify': { authRequestId: 'x'.repeat(43), identifier: 'ada' },
  'POST /v1/account-tokens': { identifier: 'ada' },
  'POST /v1/agent-tokens': { identifier: 'ada', expiresIn: 60 },
  'PUT /v1/agent-access': { signInUrl: 'https://app.example.com/sign-in' },
  'POST /v1/agent-clients': { name: 'Client', redirectUris: ['https://client.example/callback'] },
  'POST /v1/agent-sign-ins': { ticket: 'x'.repeat(43), identifier: 'ada' },
  'POST /v1/approvals/{approvalId}': { decision: 'deny' },
  'POST /v1/webhook-endpoints': {
    url: 'https://hooks.example.com/svc',
    types: ['account.deleted'],
    enabled: false,
  },
  'PATCH /v1/webhook-endpoints/{endpointId}': { enabled: true },
  'POST /v1/connections/{connectionName}/accounts/{identifier}/webhooks': { trigger: 'x' },
  'POST /v1/accounts/{id}/webhooks': { trigger: 'x' },
  'POST /v1/watches': { toolName: 'workspace_pages_search', toolInput: {}, connectedAccountId: accountId },
  'PATCH /v1/watches/{watchId}': { enabled: true },
  'POST /v1/tools/{toolName}/execute': { connectedAccountId: accountId, toolInput: {} },
  'POST /operator/v1/session': { name: 'ada', password },
  'POST /operator/v1/session/link': { token: 'x'.repeat(43) },
  'POST /operator/v1/session/passkey-options': {},
  'POST /operator/v1/session/passkey': {
    credential: createAuthenticator().get({ challenge: 'x' }, { origin: 'http://localhost' }),
  },
  'POST /operator/v1/applications': { name: 'Another' },
  'PATCH /operator/v1/applications/{applicationId}': { name: 'Another' },
});

/**
 * Sends well-formed requests to every route of a service with the connection `workspace` and its authorized user `ada`.
 */
export async function callEveryRoute(service: Service, watched: ReturnType<typeof watchRoutes>) {
  const { url, clientId, clientSecret } = service;
  const { id: accountId } = await connectAccount(service, 'workspace', 'ada');
  const { password } = await service.app.operators.create('ada', 'owner');
  const operator = await signInOperator({ url, name: 'ada', password });
  const bodies = bodiesOf(accountId, password);

  const pathOf = (path: string) =>
    fillPath(path, {
      connectionName: 'workspace',
      identifier: 'ada',
      id: accountId,
      name: path.includes('/tools') ? TOOL : 'workspace',
      toolName: TOOL,
      path: 'v1/users',
      applicationId: clientId,
      secretId: 'secret_1',
      executionId: `exec_${'0'.repeat(32)}`,
      approvalId: `appr_${'0'.repeat(24)}`,
      accountTokenId: `tok_${'0'.repeat(24)}`,
      agentTokenId: `tok_${'0'.repeat(24)}`,
      agentClientId: `client_${'0'.repeat(24)}`,
      agentGrantId: `grant_${'0'.repeat(24)}`,
      endpointId: `ep_${'0'.repeat(24)}`,
      eventId: `evt_${'0'.repeat(24)}`,
      deliveryId: `dlv_${'0'.repeat(24)}`,
      subscriptionId: `sub_${'0'.repeat(24)}`,
      watchId: `watch_${'0'.repeat(24)}`,
    });

  /** Calls an operator route as the signed-in operator, and any other route as this application. */
  function call(route: Route, application: Application): Promise<Reply> {
    const { method, path } = route;
    const query = path.endsWith('/execution-statistics') ? '?from=2026-01-01&to=2026-12-01' : '';
    const body = bodies[`${method} ${path}`] ?? bodies[`${method} ${path.replace(SHARED, '/v1')}`];
    const options = body === undefined ? {} : { body };
    if (path.startsWith(OPERATOR)) {
      return operator.call(method, pathOf(path).slice(OPERATOR.length) + query, options);
    }
    if (path !== '/oauth/token') return application.call(method, pathOf(path) + query, options);
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    return fetchReply(url + path, { method, body: new URLSearchParams(form) });
  }

  return {
    call,
    signIn: () => signIn(service),
    operations: applicationOperationsOf(await readOpenApi(url)),
    operatorRoutes: watched.of(service.app.server).filter(({ path }) => path.startsWith(OPERATOR)),
  };
}

// Internal details that an error must not contain: stack traces, SQL, and errors of the database.
const INSIDE =
  /\n\s+at |node:|node_modules|\bselect\b|\binsert\b|\bupdate .+ set\b|\.[jt]s:\d+|ECONN|Connection terminated|postgres|sqlite|readonly|svc\.db/i;

/** Expects the documented 503 `unavailable` response, without internal details of the service. */
export function expectUnavailable({ method, path }: Route, reply: Reply, inside: readonly string[]): void {
  const { status, headers, text } = reply;
  const title = `${method} ${path}`;
  const seen = { title, status, header: headers.get('svc-error'), retryAfter: headers.get('retry-after') };
  expect(seen).toEqual({ title, status: 503, header: 'unavailable', retryAfter: '1' });
  const requestId = headers.get('svc-request-id');
  expect(requestId).toMatch(/^req_/);
  expect(inside.filter((part) => text.includes(part))).toEqual([]);
  expect(text).not.toMatch(INSIDE);
  // HEAD has no response body, and `POST /oauth/token` returns errors in the format of RFC 6749, section 5.2.
  if (method === 'HEAD' || path === '/oauth/token') return;
  const error = { code: 'unavailable', message: expect.stringMatching(/\S/), requestId };
  expect(JSON.parse(text)).toEqual({ error: expect.objectContaining(error) });
}
