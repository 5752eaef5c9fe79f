import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { createApprovals } from '../../../src/assembly/approvals.js';
import type { LinkOptions } from '../../../src/authorization/authorization-links.js';
import { addAccountRoutes, addVerificationRoute } from '../../../src/routes/account-routes.js';
import { addConnectRoutes } from '../../../src/routes/connect/connect-routes.js';
import type { ApplicationRow } from '../../../src/storage/schema.js';
import { createApp, silent } from './create-app.js';
import { createTenant, ENVIRONMENT_URL, type TenantOptions } from './create-tenant.js';

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
export const BROWSER = 'b'.repeat(43);
export const COOKIE = { cookie: `__Host-svc-browser=${BROWSER}` };

/**
 * Sends the form of a link as a browser does: follows the redirect to the page of the link, which shows the result of
 * the form.
 */
export async function sendForm(
  app: FastifyInstance,
  url: string,
  { headers, payload }: { readonly headers: Record<string, string>; readonly payload: string },
): Promise<LightMyRequestResponse> {
  const reply = await app.inject({ method: 'POST', url, headers: { ...FORM, ...headers }, payload });
  const location = String(reply.headers.location);
  const page = location.slice(location.indexOf(url));
  return page.split('?', 1)[0] === url ? app.inject({ url: page, headers }) : reply;
}

export interface ConnectOptions extends TenantOptions {
  readonly environmentUrl?: string;
  /** Settings of the application. Default: an application in development mode without URLs. */
  readonly application?: Partial<Pick<ApplicationRow, 'production' | 'verifyUrl' | 'redirectUrls' | 'color'>>;
}

/** Serves the connect pages and the account operations over HTTP, to a test browser that has a cookie. */
export async function createConnect({
  environmentUrl = ENVIRONMENT_URL,
  application = {},
  ...options
}: ConnectOptions = {}) {
  const tenant = await createTenant({ ...options, parts: { ...options.parts, environmentUrl } });
  const { applicationId, storage } = tenant;
  await storage.applications.update(applicationId, { production: 0, ...application });
  const connectors = new Map([['mail', { title: 'Mail' }]]);
  const approvals = createApprovals({ ...tenant, connectors, environmentUrl });
  const { callApprovals } = approvals;
  const { accountList, accounts, authorize, describe, links, tokenUses, verifyConsent } = tenant;
  const app = await createApp(
    (pages) => addConnectRoutes(pages, { authorize, callApprovals, describe, environmentUrl, log: silent }),
    async (server) => {
      server.addHook('onRequest', async (request) => {
        request.applicationId = String(request.headers['x-application'] ?? applicationId);
      });
      await server.register(
        async (own) => {
          addAccountRoutes(own, { accountList, accounts, links, tokenUses });
          addVerificationRoute(own, { verifyConsent });
        },
        { prefix: '/v1' },
      );
    },
  );
  const createLink = async (identifier = 'ada', options: LinkOptions = {}) => {
    const { link } = await tenant.links.create(
      applicationId,
      { connectionName: 'mail', identifier },
      options,
    );
    return new URL(link).pathname;
  };
  const decide = (
    url: string,
    decision: string,
    headers: Record<string, string> = COOKIE,
  ): Promise<LightMyRequestResponse> => sendForm(app, url, { headers, payload: `decision=${decision}` });
  /** Confirms the link page and consents upstream. Returns path and query of the callback URL. */
  const approve = async (identifier = 'ada', { subject = identifier, ...options }: ApproveOptions = {}) => {
    const reply = await decide(await createLink(identifier, options), 'allow');
    const callback = tenant.upstream.approve(String(reply.headers.location), { subject });
    return `${callback.pathname}${callback.search}`;
  };
  const open = (url: string, headers: Record<string, string> = COOKIE) => app.inject({ url, headers });
  const verify = (authRequestId: string, identifier: string, application = applicationId) =>
    app.inject({
      method: 'POST',
      url: '/v1/accounts/verify',
      headers: { 'x-application': application },
      payload: { authRequestId, identifier },
    });
  /**
   * Consents upstream and opens the callback. Returns the `auth_request_id` that the browser takes to the verify URL.
   */
  const reachVerification = async (identifier = 'ada', options: ApproveOptions = {}) => {
    const { headers } = await open(await approve(identifier, options));
    return new URL(String(headers.location)).searchParams.get('auth_request_id') ?? '';
  };
  const events = async () => {
    const rows = await tenant.database.selectFrom('auditEvents').selectAll().orderBy('at').execute();
    return rows.map(({ action, object, result, reason, actor }) => ({
      action,
      object,
      result,
      reason,
      actor,
    }));
  };
  /** Consents upstream and opens the callback. Returns the path of the page that says how the link ended. */
  const reachResult = async (identifier = 'ada', options: ApproveOptions = {}) => {
    const { headers } = await open(await approve(identifier, options));
    return new URL(String(headers.location)).pathname;
  };
  const storedLinks = () => tenant.database.selectFrom('authorizationLinks').selectAll().execute();
  return {
    ...tenant,
    ...approvals,
    reachResult,
    storedLinks,
    app,
    createLink,
    decide,
    approve,
    open,
    verify,
    reachVerification,
    events,
  };
}

export type Connect = Awaited<ReturnType<typeof createConnect>>;

export const VERIFY_URL = 'https://acme.example.com/connected?from=svc';

/** Runs `createConnect` for an application with a verify URL. */
export async function createVerifying(options: ConnectOptions = {}) {
  const connect = await createConnect({ application: { verifyUrl: VERIFY_URL }, ...options });
  return {
    ...connect,
    pendingRows: () => connect.database.selectFrom('pendingApprovals').selectAll().execute(),
    /** Tokens that the service revoked upstream. */
    revocations: () =>
      connect.upstream.requests
        .filter(({ path }) => path === '/revoke')
        .map(({ parameters }) => parameters['token']),
  };
}

export type Verifying = Awaited<ReturnType<typeof createVerifying>>;

interface ApproveOptions extends LinkOptions {
  /** Upstream user who consents. */
  readonly subject?: string;
}

/** Visible text of an HTML page. */
export const textOf = (html: string) =>
  html
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ');
