import type { ActivityPage } from '@svc/convintel';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Reply } from '../../support/service/application.js';
import { executeTool } from '../../support/tools/execute-tool.js';
import {
  type ConvintelService,
  MONTH,
  NOW,
  startConvintel,
} from '../../support/upstreams/start-convintel.js';

const WEBHOOK = { trigger: 'conversation_played', url: 'https://app.example.com/hook' };
const UPLOAD = {
  hostUserEmail: 'ada@example.com',
  language: 'en_GB',
  title: 'Call',
  recordingUrl: 'https://files.example.com/call.mp3',
};

let convintel: ConvintelService;

beforeAll(async () => {
  convintel = await startConvintel();
});

afterAll(() => convintel.stop());

beforeEach(async () => {
  vi.setSystemTime(NOW);
  await convintel.service.sandbox.reset();
});

const requests = () => convintel.service.sandbox.requests();

function execute(tool: string, toolInput: object): Promise<Reply> {
  const { application, accountId } = convintel;
  return executeTool(application, `convintel_${tool}`, { connectedAccountId: accountId, toolInput });
}

async function expectRefused(tool: string, input: object, rule: string): Promise<void> {
  const reply = await execute(tool, input);
  const errors = expect.arrayContaining([expect.objectContaining({ rule })]);
  expect(reply.json()).toMatchObject({ error: { code: 'invalid_input', details: { errors } } });
  expect(await requests()).toEqual([]);
}

async function expectAccepted(tool: string, input: object): Promise<void> {
  expect((await execute(tool, input)).status).toBe(200);
}

describe('Activities list without fromDate/toDate or updatedFrom', () => {
  test.each([
    { title: 'an empty input', input: {}, rule: 'exactlyOneOf' },
    { title: 'only page', input: { page: 2 }, rule: 'exactlyOneOf' },
    { title: 'only fromDate', input: { fromDate: MONTH.fromDate }, rule: 'requiredWith' },
    { title: 'only toDate', input: { toDate: MONTH.toDate }, rule: 'exactlyOneOf' },
    { title: 'only updatedTo', input: { updatedTo: MONTH.toDate }, rule: 'exactlyOneOf' },
    { title: 'both ranges', input: { ...MONTH, updatedFrom: MONTH.fromDate }, rule: 'exactlyOneOf' },
  ])('is refused: $title', async ({ input, rule }) => {
    await expectRefused('activities_list', input, rule);
  });
});

describe('Activities list range of six months or more', () => {
  test.each([
    {
      title: 'the whole range',
      invalid: { fromDate: '2026-05-20 11:59:00', toDate: '2026-11-20 11:59:00' },
      valid: { fromDate: '2026-05-20 11:59:01', toDate: '2026-11-20 11:59:00' },
    },
    {
      title: 'the end of February',
      invalid: { fromDate: '2025-08-31 00:00:00', toDate: '2026-02-28 00:00:00' },
      valid: { fromDate: '2025-08-31 00:00:00', toDate: '2026-02-27 23:59:59' },
    },
    {
      title: 'a range of changes',
      invalid: { updatedFrom: '2026-01-01 00:00:00', updatedTo: '2026-07-01 00:00:00' },
      valid: { updatedFrom: '2026-01-01 00:00:00', updatedTo: '2026-06-30 23:59:59' },
    },
    {
      title: 'a range of changes until now',
      invalid: { updatedFrom: '2026-05-20 12:00:00' },
      valid: { updatedFrom: '2026-05-20 12:00:01' },
    },
  ])(
    'a range one second too long is refused, and one second less is accepted: $title',
    async ({ invalid, valid }) => {
      await expectRefused('activities_list', invalid, 'withinMonths');
      await expectAccepted('activities_list', valid);
    },
  );
});

describe('toDate or updatedTo in the future', () => {
  const fromDate = MONTH.fromDate;

  test.each([
    { tool: 'activities_list', input: (end: string) => ({ fromDate, toDate: end }) },
    { tool: 'activities_list', input: (end: string) => ({ updatedFrom: fromDate, updatedTo: end }) },
    { tool: 'automated_call_scoring_list', input: (end: string) => ({ toDate: end }) },
    { tool: 'coaching_feedback_list', input: (end: string) => ({ fromDate, toDate: end }) },
    { tool: 'listens_list', input: (end: string) => ({ fromDate, toDate: end }) },
  ])('is refused, and accepted once that time has passed: $tool', async ({ tool, input }) => {
    const soon = input('2026-11-20 12:00:01');

    await expectAccepted(tool, input('2026-11-20 12:00:00'));
    await convintel.service.sandbox.clearRequests();
    await expectRefused(tool, soon, 'notFuture');
    vi.setSystemTime(NOW + 1000);
    await expectAccepted(tool, soon);
  });
});

describe('fromDate not before toDate; updatedFrom not before updatedTo', () => {
  const [early, late] = ['2026-11-01 00:00:00', '2026-11-01 00:00:01'];

  test.each([
    { tool: 'activities_list', input: (from: string, to: string) => ({ fromDate: from, toDate: to }) },
    { tool: 'activities_list', input: (from: string, to: string) => ({ updatedFrom: from, updatedTo: to }) },
    { tool: 'coaching_feedback_list', input: (from: string, to: string) => ({ fromDate: from, toDate: to }) },
  ])('is refused: $tool', async ({ tool, input }) => {
    await expectRefused(tool, input(late, early), 'before');
    await expectRefused(tool, input(early, early), 'before');
    await expectAccepted(tool, input(early, late));
  });
});

describe('a time in another format', () => {
  test.each(['2026-11-01T00:00:00Z', '2026-11-01', '2026-11-01 24:00:00', '2026-13-01 00:00:00'])(
    'is refused: %s',
    async (time) => {
      await expectRefused('activities_list', { updatedFrom: time }, 'format');
    },
  );
});

describe('a rejected upload', () => {
  const errorOf = async (input: object) => {
    const { error } = (await execute('activity_upload', input)).json<{ error: { details: object } }>();
    return error;
  };

  test('Upload hostUserEmail not in the authenticated team', async () => {
    expect(await errorOf({ ...UPLOAD, hostUserEmail: 'eve@example.com' })).toMatchObject({
      code: 'upstream_failed',
      details: { status: 422, body: { errors: { hostUserEmail: [expect.stringContaining('team')] } } },
    });
  });

  test('Upload externalId already used by the same host user', async () => {
    const known = { ...UPLOAD, externalId: 'pbx-7' };
    await expectAccepted('activity_upload', known);

    expect(await errorOf(known)).toMatchObject({
      code: 'upstream_failed',
      details: {
        status: 422,
        body: { errors: { externalId: [expect.stringContaining('taken')] } },
        advice: expect.stringContaining('check with convintel_activities_list'),
      },
    });
    await expectAccepted('activity_upload', { ...known, hostUserEmail: 'grace@example.com' });
  });

  test('names the proxy when the recording is missing, and sends nothing', async () => {
    const { recordingUrl, ...fields } = UPLOAD;

    expect(await errorOf(fields)).toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/proxy.*POST \/uploadActivity.*multipart\/form-data/),
      details: { errors: [{ field: 'recordingUrl', rule: 'required' }] },
    });
    expect(await requests()).toEqual([]);
  });
});

describe('the limits of convintel', () => {
  test('Activities list: page size 500', async () => {
    const input = { fromDate: '2026-06-01 00:00:00', toDate: '2026-11-20 11:59:00' };
    const { data } = (await execute('activities_list', input)).json<{ data: ActivityPage }>();

    expect(data.results.length + (data.failed?.length ?? 0)).toBe(500);
    expect(data.metadata?.pageSize).toBe(500);
  });

  test.each([
    { tool: 'activity_upload', base: UPLOAD, field: 'accountId', limit: 100 },
    { tool: 'activity_upload', base: UPLOAD, field: 'externalId', limit: 191 },
    { tool: 'activity_upload', base: UPLOAD, field: 'leadId', limit: 180 },
    { tool: 'activity_upload', base: UPLOAD, field: 'opportunityId', limit: 100 },
    { tool: 'activity_upload', base: UPLOAD, field: 'title', limit: 250 },
    { tool: 'webhook_create', base: WEBHOOK, field: 'url', limit: 191 },
    { tool: 'webhook_create', base: WEBHOOK, field: 'external_id', limit: 191 },
  ])('$field of $tool has at most $limit characters', async ({ tool, base, field, limit }) => {
    const text = (length: number) => ({ ...base, [field]: 'https://app.example.com/'.padEnd(length, 'x') });

    await expectRefused(tool, text(limit + 1), 'maxLength');
    await expectAccepted(tool, text(limit));
  });
});

describe('a call that creates something', () => {
  test.each([
    { tool: 'activity_upload', input: UPLOAD },
    { tool: 'webhook_create', input: WEBHOOK },
  ])('is sent once when the upstream fails: $tool', async ({ tool, input }) => {
    await convintel.service.sandbox.dials('convintel', { failNext: { count: 1, status: 500 } });

    const reply = await execute(tool, input);

    expect(reply.json()).toMatchObject({
      error: { details: { status: 500, body: { error: { message: 'Server Error' } } } },
    });
    expect(await requests()).toHaveLength(1);
  });
});
