import type { LightMyRequestResponse } from 'fastify';
import { connectRoutes } from '../../src/routes/connect.js';
import { createApp } from './create-app.js';
import { createTenant, ENVIRONMENT_URL } from './create-tenant.js';

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
export const BROWSER = 'b'.repeat(43);
export const COOKIE = { cookie: `__Host-svc-browser=${BROWSER}` };

export async function createConnect({ environmentUrl = ENVIRONMENT_URL } = {}) {
  const tenant = await createTenant({ parts: { environmentUrl } });
  const app = await createApp(connectRoutes({ authorize: tenant.authorize, environmentUrl }));
  const createLink = async (identifier = 'ada') => {
    const { link } = await tenant.links.create(tenant.applicationId, { connectionName: 'mail', identifier });
    return new URL(link).pathname;
  };
  const decide = (
    url: string,
    decision: string,
    headers: Record<string, string> = COOKIE,
  ): Promise<LightMyRequestResponse> =>
    app.inject({ method: 'POST', url, headers: { ...FORM, ...headers }, payload: `decision=${decision}` });
  /** The path and query of the callback after the user clicked and approved. */
  const approve = async () => {
    const reply = await decide(await createLink(), 'allow');
    const callback = tenant.upstream.approve(String(reply.headers.location));
    return `${callback.pathname}${callback.search}`;
  };
  return { ...tenant, app, createLink, decide, approve };
}

/** The page as a reader sees it. */
export const textOf = (html: string) =>
  html
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ');
