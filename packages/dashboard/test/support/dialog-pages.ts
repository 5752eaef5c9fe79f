import { createClient } from '@svc/core';
import { hrefOf, PATHS } from '../../src/paths.ts';
import { askForAd } from './ask-for-ad.ts';
import { giveAccess } from './give-access.ts';
import { newAgents } from './open-agents.ts';
import { owner, stage } from './visit.ts';

/**
 * Calls the service's API as operator. The functions below create accounts, tokens and other objects with `call`, and
 * return the URLs of the dashboard pages whose dialogs the tests open.
 */
const call = async <Result>(method: string, below: string, body?: unknown): Promise<Result> =>
  (await owner()).call(method, below, body);

export const uniqueName = (what: string): string => `${what}-${crypto.randomUUID().slice(0, 8)}`;
const ofApplication = (): string => `/applications/${stage().subjects['applicationId']}`;
export const pagePath = (of: string, parameters: Readonly<Record<string, string>> = {}) =>
  hrefOf(of, { ...stage().subjects, ...parameters });

export async function newAccount(connector: string, body: object = {}): Promise<string> {
  const below = `${ofApplication()}/connections/${connector}/accounts/${uniqueName('user')}`;
  return (await call<{ id: string }>('PUT', below, body)).id;
}

export const accountWith = (connector: string, body?: object) => async () =>
  pagePath(PATHS.account, { accountId: await newAccount(connector, body) });

export const newApplication = async () =>
  pagePath(PATHS.application, {
    applicationId: (await call<{ id: string }>('POST', '/applications', { name: uniqueName('App') })).id,
  });

export async function readyApplication(): Promise<string> {
  const { id } = await call<{ id: string }>('POST', '/applications', { name: uniqueName('App') });
  await call('PATCH', `/applications/${id}`, { verifyUrl: 'https://app.example.com/verify' });
  return pagePath(PATHS.application, { applicationId: id });
}

/** The page of an application with an agent token. */
export async function withToken(): Promise<string> {
  const { id, clientSecret } = await call<{ id: string; clientSecret: string }>('POST', '/applications', {
    name: uniqueName('App'),
  });
  const client = createClient({ environmentUrl: stage().url, clientId: id, clientSecret });
  await client.agentToken({ identifier: 'ada', expiresIn: 600 });
  return pagePath(PATHS.application, { applicationId: id });
}

/** The agents page of an application with a grant. */
export async function withAgent(): Promise<string> {
  const agents = await newAgents(await owner(), stage().url);
  await giveAccess(agents, { clientId: agents.clientId, identifier: 'ada' });
  return pagePath(PATHS.agents, { applicationId: agents.applicationId });
}

/** The page of a webhook endpoint that gets no events. */
export async function newEndpoint(): Promise<string> {
  const body = { url: 'https://app.example.com/hook', types: ['endpoint.disabled'] };
  const { id } = await call<{ id: string }>('POST', `${ofApplication()}/webhook-endpoints`, body);
  return pagePath(PATHS.webhookEndpoint, { endpointId: id });
}

/** The page of an account with a watch that is switched off. */
export async function withWatch(): Promise<string> {
  const connectedAccountId = await newAccount('convintel', { bearerToken: 'sandbox-token' });
  const body = { connectedAccountId, toolName: 'convintel_activities_list', toolInput: {} };
  const { id } = await call<{ id: string }>('POST', `${ofApplication()}/watches`, body);
  await call('PATCH', `${ofApplication()}/watches/${id}`, { enabled: false });
  return pagePath(PATHS.account, { accountId: connectedAccountId });
}

/** The page of a pending approval. */
export async function pendingApproval(): Promise<string> {
  const { id } = await askForAd();
  return pagePath(PATHS.approval, { approvalId: id });
}

/** The operators page with the operator grace. */
export async function invited(): Promise<string> {
  await call('POST', '/operators', { name: 'grace', role: 'reader' }).catch(() => undefined);
  return pagePath(PATHS.operators);
}
