import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { executeTool } from '../../support/tools/execute-tool.js';
import { type ConvintelService, MONTH, startConvintel } from '../../support/upstreams/start-convintel.js';

const UNKNOWN = '11111111-2222-4333-8444-555555555555';

let convintel: ConvintelService;

beforeAll(async () => {
  convintel = await startConvintel();
});

afterAll(() => convintel.stop());

beforeEach(() => convintel.service.sandbox.reset());

const execute = (tool: string, toolInput: object) => {
  const { application, accountId } = convintel;
  return executeTool(application, `convintel_${tool}`, { connectedAccountId: accountId, toolInput });
};

const id = { activityId: UNKNOWN };
const upload = {
  hostUserEmail: 'ada@example.com',
  language: 'en_GB',
  title: 'Call',
  recordingUrl: 'https://files.example.com/call.mp3',
};
const webhook = { trigger: 'conversation_played', url: 'https://app.example.com/hook' };

// `good` is a valid input of the tool. `bad` breaks `rule` at `field`.
const CALLS = [
  { tool: 'action_items_get', good: id, bad: { activityId: '7' }, field: 'activityId', rule: 'format' },
  { tool: 'activities_list', good: MONTH, bad: { ...MONTH, page: 0 }, field: 'page', rule: 'minimum' },
  {
    tool: 'activity_upload',
    good: upload,
    bad: { ...upload, language: 'en' },
    field: 'language',
    rule: 'pattern',
  },
  {
    tool: 'automated_call_scoring_list',
    good: MONTH,
    bad: { userId: 'ada' },
    field: 'userId',
    rule: 'format',
  },
  {
    tool: 'coaching_feedback_list',
    good: MONTH,
    bad: { fromDate: MONTH.fromDate },
    field: 'toDate',
    rule: 'required',
  },
  {
    tool: 'comments_list',
    good: {},
    bad: { fromDate: '2026-11-01T00:00:00Z' },
    field: 'fromDate',
    rule: 'format',
  },
  { tool: 'listens_list', good: MONTH, bad: { toDate: MONTH.toDate }, field: 'fromDate', rule: 'required' },
  { tool: 'organization_get', good: {}, bad: { id: UNKNOWN }, field: 'id', rule: 'additionalProperties' },
  { tool: 'questions_get', good: id, bad: {}, field: 'activityId', rule: 'required' },
  {
    tool: 'summary_get',
    good: id,
    bad: { ...id, format: 'html' },
    field: 'format',
    rule: 'additionalProperties',
  },
  { tool: 'test_tool_xyz', good: {}, bad: { x: 1 }, field: 'x', rule: 'additionalProperties' },
  { tool: 'topic_triggers_list', good: {}, bad: { page: 1 }, field: 'page', rule: 'additionalProperties' },
  { tool: 'topic_triggers_matched_get', good: id, bad: { activityId: 7 }, field: 'activityId', rule: 'type' },
  { tool: 'transcript_get', good: id, bad: { activityId: null }, field: 'activityId', rule: 'type' },
  { tool: 'users_list', good: {}, bad: { status: 'active' }, field: 'status', rule: 'additionalProperties' },
  {
    tool: 'webhook_create',
    good: webhook,
    bad: { ...webhook, url: 'http://app.example.com' },
    field: 'url',
    rule: 'pattern',
  },
  { tool: 'webhook_delete', good: { id: UNKNOWN }, bad: { id: 'hook' }, field: 'id', rule: 'format' },
  {
    tool: 'webhook_sample_get',
    good: { trigger: 'conversation_shared' },
    bad: { trigger: 'x' },
    field: 'trigger',
    rule: 'enum',
  },
];

test.each(CALLS)(
  '$tool refuses an input that breaks $rule and sends nothing',
  async ({ tool, bad, field, rule }) => {
    const reply = await execute(tool, bad);

    expect(reply.status).toBe(400);
    expect(reply.json()).toMatchObject({
      error: { code: 'invalid_input', details: { errors: [{ field, rule }] } },
    });
    expect(await convintel.service.sandbox.requests()).toEqual([]);
  },
);

test.each(CALLS)('$tool returns an error of the upstream after one request', async ({ tool, good }) => {
  const body = { error: 'This action is unauthorized.' };
  await convintel.service.sandbox.dials('convintel', { failNext: { count: 1, status: 403 } });

  const reply = await execute(tool, good);

  expect(reply.status).toBe(424);
  expect(reply.json()).toMatchObject({
    error: {
      code: 'upstream_failed',
      details: { status: 403, body, advice: expect.stringContaining('another region') },
    },
  });
  expect(await convintel.service.sandbox.requests()).toHaveLength(1);
});

test('the table contains every tool', () => {
  expect(CALLS.map(({ tool }) => `convintel_${tool}`)).toEqual(convintel.record.names);
});
