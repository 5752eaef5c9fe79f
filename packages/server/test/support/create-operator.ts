import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { operatorRoutes } from '../../src/routes/operator/operator-routes.js';
import { createApp } from './create-app.js';
import { createTenant, ENVIRONMENT_URL } from './create-tenant.js';

export const SESSION = '/operator/v1/session';

/** What a browser keeps of a sign-in. */
function sessionOf(signedIn: LightMyRequestResponse) {
  const [cookie] = signedIn.cookies;
  const { csrfToken } = signedIn.json<{ csrfToken: string }>();
  return { cookies: { [cookie?.name ?? '']: cookie?.value ?? '' }, headers: { 'svc-csrf': csrfToken } };
}

/** The routes of operators over a real database, and the owner `ada` who is signed in. */
export async function createOperator(environmentUrl = ENVIRONMENT_URL) {
  const tenant = await createTenant();
  const app = await createApp();
  const readHealth = () => Promise.reject(new Error('It takes a whole service.'));
  await app.register(operatorRoutes({ ...tenant, environmentUrl, readHealth }));
  const { password } = await tenant.operators.create('ada', 'owner');
  const post = (url: string, payload: object, options: InjectOptions = {}) =>
    app.inject({ method: 'POST', url, payload, ...options });
  const signIn = (given: object = {}, headers = {}) =>
    post(SESSION, { name: 'ada', password, ...given }, { headers });

  /** Calls of whoever was signed in by this. */
  const callsOf =
    (signedIn: LightMyRequestResponse) =>
    (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, options: InjectOptions = {}) =>
      app.inject({ method, url, ...sessionOf(signedIn), ...options });

  const signedIn = await signIn();
  return { ...tenant, app, password, post, signIn, signedIn, callsOf, call: callsOf(signedIn) };
}
