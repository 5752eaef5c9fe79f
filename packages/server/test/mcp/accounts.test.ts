import { approve } from '@svc/sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectAgent, connectEarlier, firstText, mintToken, runAgent } from '../support/mcp/agent.js';
import { fetchReply } from '../support/service/application.js';
import { connectApart } from '../support/service/connect-apart.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const OF_CALENDAR = '/mcp/calendar';
const LINK = /https?:\/\/[^\s"]+\/connect\/[\w-]+/;

let service: Service;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar', 'convintel'] });
});

afterAll(() => service.stop());

const call = (name: string, input: object = {}) => ({
  method: 'tools/call',
  params: { name, arguments: input },
});
const CALENDARS = call('calendar_list_calendars');

/** Returns the first link in a text. */
const linkIn = (text: string): string => LINK.exec(text)?.[0] ?? '';

describe('an account without consent of its user', () => {
  const CLIENTS = { 'of 2026-07-28': connectAgent, 'of 2025-11-25': connectEarlier };

  test.each(Object.entries(CLIENTS))(
    'E7: a client %s gets a link, and the same call works after the consent',
    async (name, connect) => {
      const token = await mintToken(service, { identifier: `ladder ${name}` });
      const client = await connect(service, { token, path: OF_CALENDAR });
      const listCalendars = () => client.callTool({ name: 'calendar_list_calendars', arguments: {} });
      const refused = await listCalendars();
      expect(refused).toMatchObject({
        isError: true,
        _meta: { 'svc/error': { code: 'account_not_authorized', connectUrl: expect.stringMatching(LINK) } },
      });
      expect(JSON.stringify(refused)).toContain('"text":"account_not_authorized: ');
      const { status } = await approve(linkIn(JSON.stringify(refused)), { user: 'ada' });
      expect(status).toBe(200);
      expect(await listCalendars()).toMatchObject({ structuredContent: { items: expect.any(Array) } });
      await client.close();
    },
  );

  test.each([
    { title: 'agrees and consents', approves: true, action: 'accept' as const },
    { title: 'agrees and does not consent', approves: false, action: 'accept' as const },
    { title: 'declines', approves: false, action: 'decline' as const },
  ])(
    'a client that can open links gets one elicitation: its user $title',
    async ({ title, approves, action }) => {
      const token = await mintToken(service, { identifier: `consent: ${title}` });
      const client = await connectAgent(service, {
        token,
        path: OF_CALENDAR,
        capabilities: { elicitation: { url: {} } },
      });
      const links: string[] = [];
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        links.push('url' in params ? String(params.url) : '');
        if (approves) await approve(links[0] ?? '', { user: 'ada' });
        return { action };
      });
      const result = await client.callTool({ name: 'calendar_list_calendars', arguments: {} });
      expect(links).toEqual([expect.stringMatching(LINK)]);
      if (approves) expect(result).toMatchObject({ structuredContent: { items: expect.any(Array) } });
      else expect(linkIn(firstText(result))).not.toBe('');
      await client.close();
    },
  );

  test('gets a link to the page where the user enters a key', async () => {
    const token = await mintToken(service, { identifier: 'user_without_key' });
    const { message } = await runAgent(service, call('convintel_users_list'), { token });
    expect(message.result).toMatchObject({
      _meta: { 'svc/error': { code: 'account_not_authorized' } },
    });
    const page = await fetchReply(linkIn(firstText(message.result ?? {})));
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('type="password"')]);
  });

  test('E7: is not created when the token allows other accounts only', async () => {
    const { id } = await connectAccount(service, 'calendar', 'user_own');
    const token = await mintToken(service, { identifier: 'user_other', accounts: [id] });
    const { message } = await runAgent(service, CALENDARS, { token });
    expect(message.error).toMatchObject({ code: -32602 });
    const path = '/v1/accounts?identifier=user_other';
    expect(await service.svc.call({ method: 'GET', path })).toMatchObject({ items: [] });
  });
});

describe('a user with several accounts on one connector', () => {
  let own: string;

  beforeEach(async () => {
    await connectAccount(service, 'calendar');
    own = (await connectApart(service, 'calendar')).connectionName;
  });

  test('E7: selects an account in the input of each tool; none is chosen by default', async () => {
    const token = await mintToken(service, { connections: ['calendar', own] });
    const listed = await runAgent(service, { method: 'tools/list' }, { token });
    expect(listed.message.result?.['tools']).toMatchObject(
      Array(12).fill({
        inputSchema: {
          required: expect.arrayContaining(['account']),
          properties: { account: { enum: ['calendar', own].toSorted() } },
        },
      }),
    );
    await service.sandbox.clearRequests();
    const unsaid = await runAgent(service, CALENDARS, { token });
    expect(unsaid.message.result).toMatchObject({ _meta: { 'svc/error': { code: 'invalid_input' } } });
    expect(firstText(unsaid.message.result ?? {})).toContain(`"${own}"`);
    const wrong = await runAgent(service, call('calendar_list_calendars', { account: 'calendar-x' }), {
      token,
    });
    expect(wrong.message.result).toMatchObject({ _meta: { 'svc/error': { code: 'invalid_input' } } });
    expect(await service.sandbox.requests('calendar')).toEqual([]);
    const reply = await runAgent(service, call('calendar_list_calendars', { account: own }), { token });
    expect(reply.message.result).toMatchObject({ structuredContent: { items: expect.any(Array) } });
    const requests = await service.sandbox.requests('calendar');
    expect(requests.map(({ path }) => path)).toEqual(['/calendar/v3/users/me/calendarList']);
  });

  test('another connection of the connector changes nothing for a user with one account', async () => {
    await service.app.connections.create(service.clientId, {
      connectionName: 'a-calendar-without-client',
      connector: 'calendar',
    });
    await connectAccount(service, own, 'user_with_one');
    const token = await mintToken(service, { identifier: 'user_with_one' });
    const listed = await runAgent(service, { method: 'tools/list' }, { token, path: OF_CALENDAR });
    expect(JSON.stringify(listed.message.result)).not.toContain('"account"');
    const { message } = await runAgent(service, CALENDARS, { token });
    expect(message.result).toMatchObject({ structuredContent: { items: expect.any(Array) } });
  });

  test('a user without an account chooses among the connections with a client, and gets a link', async () => {
    const token = await mintToken(service, { identifier: 'user_without_any' });
    const refused = firstText((await runAgent(service, CALENDARS, { token })).message.result ?? {});
    expect(refused).toMatch(/The user has not connected an account yet\. .+ one of "calendar", "calendar-/);
    expect(refused).not.toContain('a-calendar-without-client');
    const chosen = await runAgent(service, call('calendar_list_calendars', { account: own }), { token });
    expect(linkIn(firstText(chosen.message.result ?? {}))).not.toBe('');
  });

  test('has no account input when the token allows one connection only', async () => {
    const token = await mintToken(service, { connections: [own] });
    const listed = await runAgent(service, { method: 'tools/list' }, { token });
    expect(JSON.stringify(listed.message.result)).not.toContain('"account"');
    const { message } = await runAgent(service, CALENDARS, { token });
    expect(message.result).toMatchObject({ structuredContent: { items: expect.any(Array) } });
  });
});
