import { approve, createBrowser, type Page } from '@svc/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstText, mintToken, runAgent } from '../support/mcp/agent.js';
import { type Application, fetchReply, signIn } from '../support/service/application.js';
import { connectApart } from '../support/service/connect-apart.js';
import { type Service, startService } from '../support/service/service.js';

const SCOPE = 'https://www.googleapis.com/auth/';
const LIST = `${SCOPE}calendar.calendarlist.readonly`;
const EVENTS = `${SCOPE}calendar.events`;

let service: Service;
let application: Application;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  application = await signIn(service);
});
afterAll(() => service.stop());

test('the end of a scope is refused with its whole name, and null restores the default scopes', async () => {
  const path = '/v1/connections/calendar';
  const before = (await application.call('GET', path)).json<{ scopes: readonly string[] }>().scopes;
  const short = await application.call('PATCH', path, { body: { scopes: ['calendar.readonly'] } });
  expect(short.status).toBe(400);
  expect(short.json()).toMatchObject({
    error: {
      message: `"calendar.readonly" is not the whole name of a scope. Did you mean "${SCOPE}calendar.readonly"?`,
      details: { errors: [{ field: 'scopes' }] },
    },
  });
  const whole = await application.call('PATCH', path, { body: { scopes: [`${SCOPE}calendar.readonly`] } });
  expect(whole.json()).toMatchObject({ scopes: [`${SCOPE}calendar.readonly`] });
  const restored = await application.call('PATCH', path, { body: { scopes: null } });
  expect(restored.json()).toMatchObject({ scopes: before });
});

test('a misspelled scope fails the check of the connection, and the connect page shows it by its name', async () => {
  const path = '/v1/connections/calendar';
  const misspelled = `${SCOPE}calender.readonly`;
  await application.call('PATCH', path, { body: { scopes: ['openid', misspelled] } });
  const check = (await application.call('POST', `${path}/check`)).json<{ steps: readonly object[] }>();
  expect(check).toMatchObject({ isWorking: false });
  expect(check.steps).toContainEqual({
    name: 'scopes',
    result: 'failed',
    message: `The authorization server refuses the scopes. The catalogue does not list "${misspelled}" (did you mean "${SCOPE}calendar.readonly"?). Correct them with PATCH ${path}.`,
  });
  const { link } = await service.svc.getAuthorizationLink({ connectionName: 'calendar', identifier: 'ada' });
  const page = await fetchReply(link);
  expect(page.text).toContain(misspelled);
  expect(page.text).not.toContain('add, change and delete events');
  await application.call('PATCH', path, { body: { scopes: null } });
});

test('a user who leaves out a permission reads so at the end, and a call names it', async () => {
  const browser = createBrowser();
  const { link } = await service.svc.getAuthorizationLink({ connectionName: 'calendar', identifier: 'eve' });
  const accept = (page: Page, leftOut?: string) => {
    const form = browser
      .forms(page)
      .find(({ buttons }) => buttons.some(({ name, value }) => name === 'decision' && value === 'allow'));
    const controls = form?.controls.filter(({ value }) => value !== leftOut) ?? [];
    if (form === undefined) throw new Error(page.body);
    return browser.submit(page, { ...form, controls }, { button: { name: 'decision', value: 'allow' } });
  };
  const done = await accept(await accept(await browser.open(link)), LIST);
  expect(done.body).toContain('You did not allow the following');
  expect(done.body).toContain('<li>See the list of your calendars</li>');
  expect(done.body).not.toContain('See, add, change and delete events');
  const body = { connectionName: 'calendar', identifier: 'eve', toolInput: {} };
  const refused = await application.call('POST', '/v1/tools/calendar_list_calendars/execute', { body });
  expect(refused.json()).toMatchObject({
    error: { code: 'account_not_authorized', details: { requiredScopes: [LIST] } },
  });
});

test('a call without a scope says whether the connection or the user lacks it, and works after a consent', async () => {
  const { connectionName, identifier } = await connectApart(service, 'calendar', { scopes: [LIST] });
  const execute = async (toolName: string) => {
    const body = { connectionName, identifier, toolInput: {} };
    return application.call('POST', `/v1/tools/${toolName}/execute`, { body });
  };
  const notRequested = await execute('calendar_list_events');
  expect(notRequested.status).toBe(409);
  expect(notRequested.json()).toMatchObject({
    error: {
      code: 'connection_not_configured',
      message: expect.stringMatching(
        /requests no scope that this call needs\. Add one of .+calendar\.events/,
      ),
      details: { requiredScopes: expect.arrayContaining([EVENTS]) },
    },
  });

  const path = `/v1/connections/${connectionName}`;
  const changed = await application.call('PATCH', path, { body: { scopes: [LIST, EVENTS] } });
  expect(changed.status, changed.text).toBe(200);
  const notGranted = await execute('calendar_list_events');
  expect(notGranted.status).toBe(409);
  expect(notGranted.json()).toMatchObject({
    error: {
      code: 'account_not_authorized',
      message: expect.stringMatching(/has not granted a scope that this call .+ needs/),
      details: {
        status: 'authorized',
        requiredScopes: [EVENTS],
        authorizationLinkPath: `${path}/accounts/${identifier}/authorization-link`,
      },
    },
  });
  expect((await execute('calendar_list_calendars')).status).toBe(200);

  const token = await mintToken(service, { connections: [connectionName] });
  const call = { method: 'tools/call', params: { name: 'calendar_list_events', arguments: {} } };
  const { result } = (await runAgent(service, call, { token })).message;
  expect(firstText(result ?? {})).toContain(`has not granted a permission of "${connectionName}"`);
  const { connectUrl } = Object(result)._meta['svc/error'];
  expect((await approve(connectUrl, { user: 'ada' })).status).toBe(200);
  expect((await execute('calendar_list_events')).status).toBe(200);
});
