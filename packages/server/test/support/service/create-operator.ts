import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { addOperatorRoutes } from '../../../src/assembly/operator-routes.js';
import { createSearch } from '../../../src/records/search.js';
import { createApp } from './create-app.js';
import { createTenant, ENVIRONMENT_URL } from './create-tenant.js';

export const SESSION = '/operator/v1/session';

/** Session cookies and CSRF token that a browser sends after the sign-in. */
function sessionOf(signedIn: LightMyRequestResponse, environmentUrl: string) {
  const active = signedIn.cookies.filter(({ value }) => value !== '');
  const { csrfToken } = signedIn.json<{ csrfToken: string }>();
  const cookies = Object.fromEntries(active.map(({ name, value }) => [name, value]));
  const { origin } = new URL(environmentUrl);
  return { cookies, headers: { origin, 'svc-csrf': csrfToken } };
}

/** Serves the operator routes over a real database, with the owner `ada` signed in. */
export async function createOperator(environmentUrl = ENVIRONMENT_URL) {
  const tenant = await createTenant();
  const app = await createApp();
  const takesService = () => Promise.reject(new Error('It takes a whole service.'));
  addOperatorRoutes(app, tenant, {
    environmentUrl,
    readHealth: takesService,
    readOverview: takesService,
    readProblems: takesService,
    search: createSearch({
      storage: tenant.storage,
      executionLog: { flush: async () => undefined },
      failedRequests: { flush: async () => undefined },
      keptDays: { executions: 30, audit: 365 },
    }),
  });
  const { password } = await tenant.operators.create('ada', 'owner');
  const post = (url: string, payload: object, options: InjectOptions = {}) =>
    app.inject({ method: 'POST', url, payload, ...options });
  const signIn = (given: object = {}, headers = {}) =>
    post(SESSION, { name: 'ada', password, ...given }, { headers });

  /** Returns a function that sends requests with the session of this sign-in response. */
  function callsOf(signedIn: LightMyRequestResponse) {
    const session = sessionOf(signedIn, environmentUrl);
    const call = (
      method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
      url: string,
      options: InjectOptions = {},
    ) => app.inject({ method, url, ...session, ...options });
    return Object.assign(call, session);
  }

  const signedIn = await signIn();
  return { ...tenant, app, password, post, signIn, signedIn, callsOf, call: callsOf(signedIn) };
}
