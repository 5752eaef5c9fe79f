import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSignIn } from '../support/mcp/sign-in.js';
import type { Application } from '../support/service/application.js';
import { type Service, startService } from '../support/service/service.js';

let service: Service;
let application: Application;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  application = (await openSignIn(service)).application;
});

afterAll(() => service.stop());

const STORED = { issuer: 'https://login.example.com', clientId: 'desk' };

const put = (body: object) => application.call('PUT', '/v1/agent-access', { body });
const putOpenId = async (openId: object) => (await put({ openId })).json<{ openId: object }>().openId;

describe('a client secret that is omitted from an update', () => {
  test.each([
    { title: 'stays unchanged when other fields change', change: { claim: 'email' }, hasClientSecret: true },
    {
      title: 'is deleted when the issuer changes',
      change: { issuer: 'https://x.example' },
      hasClientSecret: false,
    },
    { title: 'is deleted when the client id changes', change: { clientId: 'x' }, hasClientSecret: false },
  ])('$title', async ({ change, hasClientSecret }) => {
    await putOpenId({ ...STORED, clientSecret: 'of the issuer' });
    expect(await putOpenId({ ...STORED, ...change })).toMatchObject({ ...change, hasClientSecret });
    // Restoring the first issuer does not restore its deleted client secret.
    expect(await putOpenId(STORED)).toMatchObject({ hasClientSecret });
  });

  test('is deleted when the sign-in is switched to the application in between', async () => {
    await putOpenId({ ...STORED, clientSecret: 'of the issuer' });
    await put({ signInUrl: 'https://app.example.com' });
    expect(await putOpenId(STORED)).toMatchObject({ hasClientSecret: false });
  });
});

test.each([
  { field: 'signInUrl', input: { signInUrl: 'http://app.example.com' } },
  { field: 'openId.issuer', input: { openId: { ...STORED, issuer: 'http://login.example.com' } } },
  { field: 'openId.scopes', input: { openId: { ...STORED, scopes: ['email'] } } },
  { field: 'openId.clientId', input: { openId: { ...STORED, clientId: '' } } },
  ...[
    { field: 'limits.tools', limits: { tools: ['calendar_list_event'] } },
    { field: 'limits.approve', limits: { approve: ['calendar_delete_events'] } },
    { field: 'limits.arguments', limits: { arguments: { calendar_list: {} } } },
    {
      field: 'limits.arguments.calendar_list_events',
      limits: { arguments: { calendar_list_events: { calendar: { eq: 'primary' } } } },
    },
    { field: 'limits.connections', limits: { connections: ['calender'] } },
  ].map(({ field, limits }) => ({ field, input: { signInUrl: 'https://app.example.com', limits } })),
])('the error names the invalid field $field of the agent access', async ({ field, input }) => {
  const { error } = (await put(input)).json<{ error: object }>();
  expect(error).toMatchObject({ code: 'invalid_request', details: { errors: [{ field }] } });
});

test.each([
  { field: 'name', input: { name: ' ', redirectUris: ['https://app.example.com'] } },
  { field: 'redirectUris', input: { name: 'Client', redirectUris: [] } },
])('the error names the invalid field $field of a client', async ({ field, input }) => {
  const reply = await application.call('POST', '/v1/agent-clients', { body: input });
  expect(reply.json()).toMatchObject({ error: { details: { errors: [{ field }] } } });
});

test.each([
  { field: 'verifyUrl', input: { verifyUrl: 'http://app.example.com' } },
  { field: 'redirectUrls', input: { redirectUrls: ['https://app.example.com/#x'] } },
])('the error names the invalid field $field of an application', async ({ field, input }) => {
  const refused = service.app.applications.change(service.clientId, input);
  await expect(refused).rejects.toMatchObject({ details: { errors: [{ field }] } });
});
