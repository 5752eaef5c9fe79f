import {
  agree,
  authorizeUrl,
  codeForm,
  createBrowser,
  createVerifier,
  FORM,
  grantTokens,
  openSignIn,
  reachConsent,
  SIGN_IN_URL,
  type Signing,
} from '../mcp/sign-in.js';
import { fetchReply } from '../service/application.js';
import { type AuditStep, type AuditWorld, byApplication, ownId } from './audit-step.js';

const signings = new WeakMap<AuditWorld, Signing>();

async function signingOf(world: AuditWorld): Promise<Signing> {
  const signing = signings.get(world) ?? (await openSignIn(world.service));
  signings.set(world, signing);
  return signing;
}

/** Creates a step whose action a user's browser or an MCP client performs, so that the event names the actor `user`. */
const byUser = (action: AuditStep['action'], object: RegExp, perform: AuditStep['perform']): AuditStep => ({
  ...byApplication(action, object, perform),
  actor: () => 'user',
  applicationId: ownId,
});

const post = (url: string, form: Readonly<Record<string, string>>) =>
  fetchReply(url, { method: 'POST', headers: FORM, body: new URLSearchParams(form).toString() });

async function prepareConsent(world: AuditWorld): Promise<void> {
  const signing = await signingOf(world);
  const url = authorizeUrl(signing, createVerifier().challenge);
  world.made['consent'] = await reachConsent(signing, url, createBrowser());
}

async function prepareCode(world: AuditWorld): Promise<void> {
  const signing = await signingOf(world);
  const { verifier, challenge } = createVerifier();
  const back = await agree(signing, authorizeUrl(signing, challenge));
  world.made['codeForm'] = JSON.stringify(codeForm(signing, back.searchParams.get('code') ?? '', verifier));
}

async function prepareGrant(world: AuditWorld): Promise<void> {
  await grantTokens(await signingOf(world));
  const reply = await world.application.call('GET', '/v1/agent-grants');
  world.made['grant'] = reply.json<{ items: { id: string }[] }>().items[0]?.id ?? '';
}

/** Audited actions of access for MCP clients: users grant it, and it is refused, revoked and deleted. */
export const AGENT_AUDIT_STEPS: readonly AuditStep[] = [
  byApplication('agent_access.changed', /^app_/, ({ application }) =>
    application.call('PUT', '/v1/agent-access', { body: { signInUrl: SIGN_IN_URL } }),
  ),
  byApplication('agent_client.created', /^client_/, async ({ application, made }) => {
    const body = { name: 'Client', redirectUris: ['https://client.example/callback'] };
    const reply = await application.call('POST', '/v1/agent-clients', { body });
    if (reply.status === 201) made['client'] = reply.json<{ id: string }>().id;
    return reply;
  }),
  byApplication('agent_client.deleted', /^client_/, ({ application, made }) =>
    application.call('DELETE', `/v1/agent-clients/${made['client']}`),
  ),
  {
    // Opens the consent page without the cookie of the browser that began the sign-in, so the service refuses it.
    ...byUser('agent_sign_in.refused', /^asign_/, ({ made }) => fetchReply(made['consent'] ?? '')),
    prepare: prepareConsent,
    result: 'refused',
  },
  {
    ...byUser('agent_grant.created', /^grant_/, async (world) =>
      post(`${(await signingOf(world)).issuer}/token`, JSON.parse(world.made['codeForm'] ?? '')),
    ),
    prepare: prepareCode,
  },
  {
    ...byApplication('agent_grant.revoked', /^grant_/, ({ application, made }) =>
      application.call('DELETE', `/v1/agent-grants/${made['grant']}`),
    ),
    prepare: prepareGrant,
  },
  byApplication('agent_access.deleted', /^app_/, ({ application }) =>
    application.call('DELETE', '/v1/agent-access'),
  ),
];
