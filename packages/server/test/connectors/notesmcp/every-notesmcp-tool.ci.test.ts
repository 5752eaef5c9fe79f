import { type Notesmcp, notesmcp } from '@svc/notesmcp';
import { approve } from '@svc/sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Application, signIn } from '../../support/service/application.js';
import { connectAccount, type Service, startService } from '../../support/service/service.js';
import { executeTool } from '../../support/tools/execute-tool.js';
import { recordTools, type ToolRecord } from '../../support/tools/record-tools.js';

const UNKNOWN = '11111111-2222-4333-8444-555555555555';
const EVER = { time_range: 'custom', custom_start: '2000-01-01', custom_end: '2999-12-31' } as const;

let service: Service;
let application: Application;
let record: ToolRecord;
let accountId: string;
let tools: Notesmcp;

beforeAll(async () => {
  service = await startService({ connectors: ['notesmcp'] });
  application = await signIn(service);
  record = recordTools(service, 'notesmcp');
  const account = await connectAccount(service, 'notesmcp');
  accountId = account.id;
  tools = notesmcp(record, account);
});

afterAll(() => service.stop());

const idsIn = (text: string) => [...text.matchAll(/<meeting id="([^"]+)"/g)].map(([, id]) => `${id}`);
const latest = async (): Promise<string> => idsIn((await tools.listMeetings(EVER)).data.text)[0] ?? '';

describe('the tools of notesmcp', () => {
  test('list the meetings of a range, by default of the last 30 days', async () => {
    const { data: all } = await tools.listMeetings(EVER);
    const { data: recent } = await tools.listMeetings();

    expect(idsIn(all.text)).toHaveLength(6);
    expect(idsIn(recent.text)).toEqual(idsIn(all.text).slice(0, 5));
    expect(all.text).toContain('Ada Lovelace (note creator) from Example <ada@example.com>');
    expect(all.content).toEqual([{ type: 'text', text: all.text }]);
  });

  test('return summary and private notes unchanged', async () => {
    const { data } = await tools.getMeetings({ meeting_ids: [await latest()], schema_version: '1.0.0' });

    expect(data.text).toContain('Katherine checks the trajectory [again] before Friday');
    expect(data.text).toContain('Ask about the <budget> & the "plan B".');
  });

  test('return a transcript', async () => {
    const meeting_id = await latest();
    const { data } = await tools.getMeetingTranscript({ meeting_id });

    expect(data.text).toMatch(new RegExp(`^<transcript meeting_id="${meeting_id}">\\n\\[00:00:15\\] Me: `));
  });

  test('list the folders of a paid plan', async () => {
    const { data } = await tools.listFolders();

    expect(data.text).toMatch(/<folder id="[^"]+" title="Engine project" note_count="3">From the kick-off/);
  });

  test('return unchanged citation marks for a question', async () => {
    const id = await latest();
    const { data } = await tools.queryMeetings({ query: 'What about the launch?', document_ids: [id] });

    expect(data.text).toBe(
      `**Launch review**\n- The launch moves to 9 December [[0]](https://notes.granola.ai/d/${id})`,
    );
  });

  test('do not forward schema_version and tool_version', async () => {
    await service.sandbox.clearRequests();
    await tools.listMeetings({ schema_version: '1.0.0', tool_version: '1.0.0' });
    const [call] = (await service.sandbox.requests('notesmcp')).filter(({ body }) =>
      JSON.stringify(body).includes('tools/call'),
    );

    expect(call?.body).toMatchObject({ params: { name: 'list_meetings', arguments: {} } });
    expect(JSON.stringify(call?.body)).not.toContain('_version');
  });

  test('are all called above', () => {
    process.stdout.write(`${record.coverage()}\n`);

    expect(record.called()).toEqual(record.names);
  });
});

// `good` is a valid input of the tool. `bad` breaks `rule` at `field`.
const CALLS = [
  {
    tool: 'get_meeting_transcript',
    good: { meeting_id: UNKNOWN },
    bad: { meeting_id: 'not_1' },
    field: 'meeting_id',
    rule: 'format',
  },
  {
    tool: 'get_meetings',
    good: { meeting_ids: [UNKNOWN] },
    bad: { meeting_ids: [] },
    field: 'meeting_ids',
    rule: 'minItems',
  },
  {
    tool: 'list_folders',
    good: {},
    bad: { folder_id: UNKNOWN },
    field: 'folder_id',
    rule: 'additionalProperties',
  },
  {
    tool: 'list_meetings',
    good: {},
    bad: { time_range: 'custom', custom_end: '2026-11-30' },
    field: 'custom_start',
    rule: 'requiredWhen',
  },
  { tool: 'query_meetings', good: { query: 'Why?' }, bad: { query: '' }, field: 'query', rule: 'minLength' },
];

describe('every tool', () => {
  beforeEach(async () => {
    await service.sandbox.dials('notesmcp', { failNext: null });
    await service.sandbox.clearRequests();
  });

  const execute = (tool: string, toolInput: object) =>
    executeTool(application, `notesmcp_${tool}`, { connectedAccountId: accountId, toolInput });

  test.each(CALLS)(
    '$tool refuses an input that breaks $rule and sends nothing',
    async ({ tool, bad, field, rule }) => {
      const reply = await execute(tool, bad);

      expect(reply.status).toBe(400);
      expect(reply.json()).toMatchObject({
        error: { code: 'invalid_input', details: { errors: [{ field, rule }] } },
      });
      expect(await service.sandbox.requests()).toEqual([]);
    },
  );

  test.each(CALLS)('$tool returns an error of the upstream', async ({ tool, good }) => {
    const body = { jsonrpc: '2.0', error: { code: -32_000, message: 'MCP is switched off.' }, id: null };
    await service.sandbox.dials('notesmcp', { failNext: { count: 1, status: 403, body } });
    const reply = await execute(tool, good);

    expect(reply.status).toBe(424);
    expect(reply.json()).toMatchObject({
      error: {
        code: 'upstream_failed',
        details: { status: 403, body, advice: expect.stringContaining('administrator') },
      },
    });
  });

  test('is in the table', () => {
    expect(CALLS.map(({ tool }) => `notesmcp_${tool}`)).toEqual(record.names);
  });

  test('limit of meeting details: at most 10 meeting_ids in a call', async () => {
    const ids = (count: number) => Array.from({ length: count }, () => UNKNOWN);
    const refused = await execute('get_meetings', { meeting_ids: ids(11) });
    const taken = await execute('get_meetings', { meeting_ids: ids(10) });

    expect(refused.json()).toMatchObject({
      error: { details: { errors: [{ field: 'meeting_ids', rule: 'maxItems' }] } },
    });
    expect(taken.json()).toMatchObject({
      error: { message: expect.stringContaining('No meetings found'), details: { status: 200 } },
    });
  });
});

test('a plan without transcripts is an error of the tool and keeps the account authorized', async () => {
  const identifier = 'free_plan';
  const { link } = await service.svc.getAuthorizationLink({ connectionName: 'notesmcp', identifier });
  await approve(link, { user: 'grace' });
  const account = await service.svc.getOrCreateConnectedAccount({ connectionName: 'notesmcp', identifier });

  const reply = await executeTool(application, 'notesmcp_get_meeting_transcript', {
    connectedAccountId: account.id,
    toolInput: { meeting_id: UNKNOWN },
  });

  expect(reply.json()).toMatchObject({
    error: { code: 'upstream_failed', message: expect.stringContaining('paid Granola tiers') },
  });
  expect(
    await service.svc.getOrCreateConnectedAccount({ connectionName: 'notesmcp', identifier }),
  ).toMatchObject({ status: 'authorized' });
});
