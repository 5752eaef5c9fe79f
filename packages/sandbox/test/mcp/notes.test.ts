import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/index.js';
import { type NotesClient, registeredClient, tokensOf } from './notes-client.js';
import { initialize, type McpSession, openSession, post } from './session.js';

let sandbox: Sandbox;
let client: NotesClient;
let url: string;
let ada: McpSession;
let grace: McpSession;
const open = async (user: string) => openSession(url, (await tokensOf(client, { user })).access_token);
beforeAll(async () => {
  sandbox = await startSandbox({ connectors: ['notesmcp'] });
  client = await registeredClient(sandbox);
  url = `${client.base}/mcp`;
  ada = await open('ada');
  grace = await open('grace');
});
afterAll(() => sandbox.stop());

const textOf = async (session: McpSession, name: string, args: object = {}): Promise<string> =>
  (await session.call(name, args)).message.result.content[0].text;
const idsIn = (text: string) => [...text.matchAll(/<meeting id="([^"]+)"/g)].map(([, id]) => id ?? '');
const allIds = async () =>
  idsIn(
    await textOf(ada, 'list_meetings', {
      time_range: 'custom',
      custom_start: '2000-01-01',
      custom_end: '2999-12-31',
    }),
  );

describe('MCP sessions of the notes server', () => {
  test('negotiate a version and list the tools', async () => {
    const { message } = await ada.request('tools/list');

    expect(ada.server).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'Granola' } });
    expect(message.result.tools.map(({ name }: { name: string }) => name)).toEqual([
      'query_granola_meetings',
      'list_meeting_folders',
      'list_meetings',
      'get_meetings',
      'get_meeting_transcript',
    ]);
  });

  test('belong to the user who opened them', async () => {
    const { access_token } = await tokensOf(client, { user: 'grace' });
    const message = { id: 1, method: 'tools/list' };

    const response = await post(url, access_token, { message, headers: { 'mcp-session-id': ada.id } });

    expect(response.status).toBe(404);
  });

  test('return an empty body for a notification', async () => {
    const { access_token } = await tokensOf(client);
    const { headers } = await initialize(url, access_token);
    const own = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
    const message = { method: 'notifications/initialized' };

    expect(await post(url, access_token, { message, headers: own })).toMatchObject({
      status: 202,
      message: undefined,
      type: '',
    });
  });

  test.each(['GET', 'PUT', 'PATCH'])('refuse the method %s', async (method) => {
    const { status, headers } = await fetch(url, { method });

    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('POST, DELETE');
  });

  test('offer no separate event stream', async () => {
    const { access_token } = await tokensOf(client);

    const response = await fetch(url, { headers: { authorization: `Bearer ${access_token}` } });

    expect(response.status).toBe(405);
  });

  test('return JSON only if the dial says so', async () => {
    await sandbox.dials('notesmcp', { mcpResponses: 'json' });
    const session = await open('ada');
    const response = await session.call('query_granola_meetings', { query: 'When is the launch?' });

    expect(response).toMatchObject({ type: 'application/json', notifications: [] });
    expect(response.message.result.content[0].text).toContain('9 December');
  });
});

describe('the stateless notes server', () => {
  const REVISION = '2026-07-28';
  const send = (token: string | undefined, version = REVISION) =>
    post(url, token, {
      message: {
        id: 1,
        method: 'tools/call',
        params: {
          name: 'list_meetings',
          arguments: {},
          _meta: {
            'io.modelcontextprotocol/protocolVersion': version,
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
      headers: { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': 'list_meetings' },
    });

  test('handles each request on its own and refuses initialize', async () => {
    await sandbox.dials('notesmcp', { mcpSpeaks: 'stateless' });
    const { access_token } = await tokensOf(client);

    const response = await send(access_token);
    expect(response.message.result).toMatchObject({ resultType: 'complete', content: [{ type: 'text' }] });
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(await send(access_token, '2099-01-01')).toMatchObject({
      status: 400,
      message: { error: { code: -32022, data: { supported: [REVISION] } } },
    });
    expect((await send(undefined)).status).toBe(401);
    expect((await initialize(url, access_token)).status).toBe(400);
    await sandbox.dials('notesmcp', { mcpSpeaks: 'sessions' });
  });
});

describe('meetings of the notes server', () => {
  test('are listed with raw email addresses and escaped titles', async () => {
    const text = await textOf(ada, 'list_meetings');

    expect(text).toContain('Ada Lovelace (note creator) from Example <ada@example.com>');
    expect(text).toContain('title="Budget &amp; hiring &lt;Q1>"');
    expect(idsIn(text)).toHaveLength(5);
  });

  test('are all listed on a paid plan, and limited to 30 days on a free plan', async () => {
    const args = { time_range: 'custom', custom_start: '2000-01-01', custom_end: '2999-12-31' };

    expect(await allIds()).toHaveLength(6);
    expect(idsIn(await textOf(grace, 'list_meetings', args))).toHaveLength(5);
    expect(await textOf(grace, 'list_meetings')).toContain('<access_notice>');
  });

  test('contain the summary and private notes', async () => {
    const [id] = await allIds();

    expect(await textOf(ada, 'get_meetings', { meeting_ids: [id] })).toMatch(
      /<summary>\n<!\[CDATA\[### Decisions[\s\S]*<private_notes>\nAsk about the <budget> & the "plan B"\./,
    );
  });

  test('have transcripts only on a paid plan', async () => {
    const [id] = await allIds();
    const refused = await grace.call('get_meeting_transcript', { meeting_id: id });

    expect(await textOf(ada, 'get_meeting_transcript', { meeting_id: id })).toContain(
      '[00:00:15] Me: Shall we move the launch?',
    );
    expect(refused.message.result).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'Transcripts are only available to paid Granola tiers' }],
    });
  });

  test('have folders only on a paid plan', async () => {
    const folders = await textOf(ada, 'list_meeting_folders');
    const [id] = [...folders.matchAll(/<folder id="([^"]+)" title="Customers &amp; partners"/g)].map(
      ([, id]) => id,
    );
    const refused = {
      isError: true,
      content: [{ text: 'Folders are only available to paid Granola tiers' }],
    };

    expect(folders).toMatch(/title="Reviews" note_count="1" parent_folder_id="[^"]+">Decisions before/);
    expect(await textOf(ada, 'list_meetings', { folder_id: id })).toMatch(/count="1"[\s\S]*Customer call/);
    expect((await grace.call('list_meeting_folders', {})).message.result).toMatchObject(refused);
    expect((await grace.call('list_meetings', { folder_id: id })).message.result).toMatchObject(refused);
  });

  test('are cited in the response to a question after progress notifications', async () => {
    const [id] = await allIds();
    const response = await ada.call('query_granola_meetings', { query: 'What about the launch?' });

    expect(response.type).toBe('text/event-stream');
    expect(response.notifications.map(({ method, params }) => [method, params.progress])).toEqual([
      ['notifications/progress', 1],
      ['notifications/progress', 2],
    ]);
    expect(response.message.result.content[0].text).toBe(
      `**Launch review**\n- The launch moves to 9 December [[0]](https://notes.granola.ai/d/${id})`,
    );
  });
});

describe('errors of the notes server', () => {
  const unknown = '00000000-0000-4000-8000-000000000000';

  test.each([
    { title: 'an unknown tool', tool: 'delete_meeting', args: {} },
    { title: 'an unknown argument', tool: 'list_meetings', args: { schema_version: '1.0.0' } },
    { title: 'more than ten meetings', tool: 'get_meetings', args: { meeting_ids: Array(11).fill(unknown) } },
    { title: 'an empty list of meetings', tool: 'get_meetings', args: { meeting_ids: [] } },
  ])('are protocol errors for $title', async ({ tool, args }) => {
    expect((await ada.call(tool, args)).message).toMatchObject({ error: { code: -32602 } });
  });

  test.each([
    { title: 'a missing meeting', tool: 'get_meetings', args: { meeting_ids: [unknown] } },
    {
      title: 'a missing transcript',
      tool: 'get_meeting_transcript',
      args: { meeting_id: unknown },
    },
    { title: 'a custom range without dates', tool: 'list_meetings', args: { time_range: 'custom' } },
  ])('are tool errors for $title', async ({ tool, args }) => {
    expect((await ada.call(tool, args)).message.result.isError).toBe(true);
  });
});
