import type { ActivitiesListInput, Activity, Convintel } from '@svc/convintel';
import type { Sandbox } from '@svc/sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ConvintelService, MONTH, startConvintel } from '../../support/upstreams/start-convintel.js';

const MINUTE = 60_000;
const HALF_YEAR = { fromDate: '2026-06-01 00:00:00', toDate: '2026-11-20 11:59:00' };

let convintel: ConvintelService;
let tools: Convintel;
let sandbox: Sandbox;

beforeAll(async () => {
  convintel = await startConvintel();
  tools = convintel.tools;
  sandbox = convintel.service.sandbox;
});

afterAll(() => convintel.stop());

beforeEach(() => sandbox.reset());

async function find(title: string, status?: ActivitiesListInput['status']): Promise<string> {
  const { data } = await tools.activitiesList({ ...MONTH, ...(status && { status }) });
  return `${data.results.find((activity) => activity.title === title)?.id}`;
}

const titles = (activities: readonly Activity[]) => activities.map(({ title }) => title);

describe('the organization', () => {
  test('belongs to the key, as the test tool confirms', async () => {
    const { data: organization } = await tools.organizationGet();
    const { data: result } = await tools.testToolXyz();

    expect(organization).toMatchObject({ name: 'Analytical Engines Ltd', calendarType: 'google' });
    expect(result).toEqual({ ok: true, organizationId: organization.id });
  });

  test('has users', async () => {
    const { data: users } = await tools.usersList();

    expect(users.data[0]).toMatchObject({
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      teamName: 'Sales',
    });
    expect(users.data).toHaveLength(4);
  });
});

describe('the list of activities', () => {
  test('covers the range and contains the ids of activities that cannot be shown', async () => {
    const { data } = await tools.activitiesList(MONTH);

    expect(titles(data.results)).toContain('Engine demonstration');
    expect(data.failed).toHaveLength(1);
    expect(data).toMatchObject({ nextPage: null, metadata: { page: 1, pageSize: 500, nextPage: null } });
    expect(data.results[1]?.participants?.map((one) => one?.user?.teamName ?? null)).toEqual([
      'Sales',
      null,
      null,
    ]);
  });

  test('filters by status and by time of change', async () => {
    const { data: messages } = await tools.activitiesList({ ...MONTH, status: 'received' });
    const { data: changed } = await tools.activitiesList({ updatedFrom: '2026-11-20 11:50:00' });

    expect(titles(messages.results)).toEqual(['Message, received']);
    expect(titles(changed.results)).toEqual(['Call that has just ended']);
  });

  test('pages by 500', async () => {
    const { data: first } = await tools.activitiesList(HALF_YEAR);
    const { data: second } = await tools.activitiesList({ ...HALF_YEAR, page: 2 });
    const ids = new Set<string>();
    for await (const { id } of tools.activitiesList.each(HALF_YEAR)) ids.add(id);

    expect([first.nextPage, second.nextPage]).toEqual([2, null]);
    expect(ids.size).toBe(first.results.length + second.results.length);
    expect(ids.size).toBeGreaterThan(500);
  });
});

describe('the analysis of a recording', () => {
  test('contains the transcript, the questions and the trigger words', async () => {
    const activityId = await find('Engine demonstration');
    const { data: segments } = await tools.transcriptGet({ activityId });
    const { data: questions } = await tools.questionsGet({ activityId });
    const { data: matches } = await tools.topicTriggersMatchedGet({ activityId });
    const { data: themes } = await tools.topicTriggersList();

    expect(segments?.[0]).toMatchObject({
      startsAt: 0,
      transcript: 'What would the engine have to do for you?',
    });
    expect(questions?.[0]).toMatchObject({ text: segments?.[0]?.transcript, engaging: true });
    const words = themes.flatMap(({ topics = [] }) => topics.flatMap(({ triggers = [] }) => triggers));
    expect(words).toEqual(expect.arrayContaining(matches?.map(({ trigger }) => trigger) ?? []));
    expect(matches).toHaveLength(4);
  });

  test('contains the summary and action items once they are generated', async () => {
    const activityId = await find('Call that has just ended');
    const { data: early } = await tools.summaryGet({ activityId });
    const { data: earlyItems } = await tools.actionItemsGet({ activityId });
    await sandbox.clock.advance(11 * MINUTE);
    const { data: summary } = await tools.summaryGet({ activityId });
    const { data: items } = await tools.actionItemsGet({ activityId });

    expect(early).toEqual({ status: 'generating', summary: null });
    expect(earlyItems).toEqual({ status: 'generating', actionItems: null });
    expect(summary).toEqual({ status: 'ready', summary: { content: 'A first talk.' } });
    expect(items).toEqual({ status: 'ready', actionItems: { content: ['Talk again.'] } });
  });

  test.each(['Call without an analysis', 'Call in silence'])(
    'has the status "none" without a summary: %s',
    async (title) => {
      const activityId = await find(title);

      expect((await tools.summaryGet({ activityId })).data).toEqual({ status: 'none', summary: null });
      expect((await tools.actionItemsGet({ activityId })).data).toEqual({
        status: 'none',
        actionItems: null,
      });
    },
  );

  test('is null for a message', async () => {
    const activityId = await find('Message, received', 'received');

    expect((await tools.transcriptGet({ activityId })).data).toBeNull();
    expect((await tools.questionsGet({ activityId })).data).toBeNull();
    expect((await tools.topicTriggersMatchedGet({ activityId })).data).toBeNull();
  });
});

describe('the coaching records', () => {
  test('filter by range and person', async () => {
    const { data: users } = await tools.usersList();
    const idOf = (name: string) => `${users.data.find((user) => user.name === name)?.id}`;
    const ada = idOf('Ada Lovelace');
    const grace = idOf('Grace Hopper');
    const mary = idOf('Mary Somerville');
    const { data: scores } = await tools.automatedCallScoringList({ ...HALF_YEAR, userId: ada });
    const { data: feedback } = await tools.coachingFeedbackList({ ...MONTH, coachId: mary, coacheeId: ada });
    const { data: comments } = await tools.commentsList({ userId: grace });
    const { data: listens } = await tools.listensList({ ...MONTH, userId: mary });
    const activityId = await find('Engine demonstration');

    expect(scores.results.map(({ score, user }) => [score, user?.name])).toContainEqual([4, 'Ada Lovelace']);
    expect(feedback.results).toMatchObject([{ activityId, coachId: mary, coacheeId: ada, score: 5 }]);
    expect(comments.results).toMatchObject([{ activityId, userId: grace }]);
    expect(listens.results).toMatchObject([{ activityId, userId: mary }]);
  });
});

test('an uploaded recording becomes an activity of its host with a transcript', async () => {
  const { data: uploaded } = await tools.activityUpload({
    hostUserEmail: 'grace@example.com',
    language: 'en_GB',
    title: 'Call from the archive',
    recordingUrl: 'https://files.example.com/call.mp3',
    externalId: 'pbx-7',
    skipFullAnalysis: true,
  });
  await sandbox.clock.advance(6 * MINUTE);
  const { data: list } = await tools.activitiesList({ updatedFrom: '2026-11-20 11:59:00' });
  const { data: transcript } = await tools.transcriptGet({ activityId: uploaded.id });
  const { data: summary } = await tools.summaryGet({ activityId: uploaded.id });

  expect(list.results).toMatchObject([
    { id: uploaded.id, title: 'Call from the archive', organizer: { name: 'Grace Hopper' } },
  ]);
  expect(transcript?.[0]?.transcript).toContain('Call from the archive');
  expect(summary.status).toBe('none');
});

test('a webhook can be created and deleted once', async () => {
  const trigger = 'conversation_processed';
  const url = 'https://app.example.com/hooks/5f3a9c';
  const { data: sample } = await tools.webhookSampleGet({ trigger });
  const { data: webhook } = await tools.webhookCreate({ trigger, url, external_id: 'crm' });
  const { data: deleted } = await tools.webhookDelete({ id: webhook.id });

  expect(sample).toMatchObject({ trigger, activity: { title: 'Engine demonstration' } });
  expect(webhook).toMatchObject({ trigger, url, external_id: 'crm' });
  expect(deleted).toBeNull();
  await expect(tools.webhookDelete({ id: webhook.id })).rejects.toMatchObject({
    code: 'upstream_failed',
    status: 404,
  });
});

test('the tests above call every tool of the catalogue', () => {
  const { record } = convintel;
  process.stdout.write(`${record.coverage()}\n`);

  expect(record.called()).toEqual(record.names);
  expect(record.continued()).toEqual(record.paged);
});
