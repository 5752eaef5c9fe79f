import { approve } from '@svc/sandbox';
import { fetchReply } from '../service/application.js';
import { issueTokens, ownClient } from '../service/issue-tokens.js';
import { type AuditStep, type AuditWorld, byApplication } from './audit-step.js';

const VERIFY_URL = 'https://acme.example.com/verify';

/**
 * Opens an authorization link and consents upstream as a user. The browser stops before it opens a URL that begins with
 * `stop`.
 */
async function approveUntil({ service }: AuditWorld, identifier: string, stop: string): Promise<URL> {
  const { link } = await service.svc.getAuthorizationLink({ connectionName: 'workspace', identifier });
  const { url } = await approve(link, { user: 'ada', stopAt: (address) => address.startsWith(stop) });
  return new URL(url);
}

/** Consents as a user, and stores the `auth_request_id` that the browser takes to the application's verify URL. */
async function reachVerification(world: AuditWorld, identifier: string): Promise<void> {
  const { service, made } = world;
  await service.app.applications.change(service.clientId, { verifyUrl: VERIFY_URL });
  const { searchParams } = await approveUntil(world, identifier, VERIFY_URL);
  made['authRequestId'] = searchParams.get('auth_request_id') ?? '';
}

const verify = ({ application, made }: AuditWorld, identifier: string) =>
  application.call('POST', '/v1/accounts/verify', {
    body: { authRequestId: made['authRequestId'], identifier },
  });

const proxied = ({ application }: AuditWorld, identifier: string) =>
  application.call('GET', `/v1/proxy/workspace/${identifier}/v1/users`);

/** Audited actions of authorization flows in browsers, and of upstreams that refuse a token request. */
export const UPSTREAM_AUDIT_STEPS: readonly AuditStep[] = [
  {
    ...byApplication('account.tokens_imported', /^acct_/, ({ application, made }) =>
      application.call('PUT', '/v1/connections/workspace/accounts/hedy', {
        body: { accessToken: made['accessToken'] },
      }),
    ),
    prepare: async ({ service, application, made }) => {
      await service.app.applications.change(service.clientId, { allowTokenImport: true });
      const client = await ownClient(service.sandbox, 'workspace', application.call);
      const { accessToken } = await issueTokens(service.sandbox, 'workspace', { client });
      made['accessToken'] = accessToken;
      await application.call('PUT', '/v1/connections/workspace/accounts/hedy');
    },
  },
  {
    // Opens the OAuth callback without the cookie of the browser that opened the authorization link, so the service
    // refuses it.
    ...byApplication('authorization.refused', /^acct_/, ({ made }) => fetchReply(made['callback'] ?? '')),
    prepare: async (world) => {
      const { href } = await approveUntil(world, 'linus', `${world.service.url}/sso/`);
      world.made['callback'] = href;
    },
    actor: () => 'user',
    result: 'refused',
  },
  {
    ...byApplication('account.verification_refused', /^acct_/, (world) => verify(world, 'mallory')),
    prepare: (world) => reachVerification(world, 'linus'),
    result: 'refused',
  },
  {
    ...byApplication('account.verified', /^acct_/, (world) => verify(world, 'linus')),
    prepare: (world) => reachVerification(world, 'linus'),
  },
  {
    ...byApplication('account.reauthorization_required', /^acct_/, (world) => proxied(world, 'linus')),
    prepare: ({ service }) => service.sandbox.revokeGrants('workspace'),
    // `refreshStartedAt` is committed before the token request (rule R3 in security-rules.md), so it remains changed if
    // the event cannot be written.
    apart: { accounts: 'refreshStartedAt' },
  },
  {
    ...byApplication('connection.refused_by_upstream', /^conn_/, (world) => proxied(world, 'grace')),
    prepare: async (world) => {
      await reachVerification(world, 'grace');
      await verify(world, 'grace');
      await world.application.call('PATCH', '/v1/connections/workspace', { body: { clientSecret: 'wrong' } });
      await world.service.sandbox.expireTokens('workspace');
    },
  },
];
