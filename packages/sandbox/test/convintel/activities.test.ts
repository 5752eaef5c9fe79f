import { describe, expect, test } from 'vitest';
import { activity, ago, call, DAY, get, lately, MINUTE, sandbox, UNKNOWN, useConvintel } from './setup.js';

useConvintel();

describe('the list of activities', () => {
  test('has completed calls of the range and the ids of failed ones', async () => {
    const { status, body } = await get('/getActivities', await lately());
    expect(status).toBe(200);
    expect(body.results.map(({ title }: { title: string }) => title)).toEqual([
      'Call that has just ended',
      'Engine demonstration',
      'Call without an analysis',
      'Call in silence',
    ]);
    expect(body.metadata).toEqual({ page: 1, pageSize: 500, maxPage: 1, nextPage: null });
    expect(body.failed).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });

  test('has guests without a user and null participants', async () => {
    const { body } = await get('/getActivities', await lately());
    expect(body.results[1]).toMatchObject({
      actualStartTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\+00:00$/),
      organizer: { name: 'Ada Lovelace', email: 'ada@example.com' },
      participants: [{ user: { teamName: 'Sales' } }, { name: 'Ben Buyer', user: null }, null],
    });
  });

  test.each([
    { status: 'in-progress', titles: ['Call that goes on'] },
    { status: 'received', titles: ['Message, received'] },
    { status: 'sent', titles: ['Message, sent'] },
    { status: 'delivered', titles: ['Message, delivered'] },
  ])('filters by the status $status', async ({ status, titles }) => {
    const { body } = await get('/getActivities', { ...(await lately()), status });
    expect(body.results.map(({ title }: { title: string }) => title)).toEqual(titles);
  });

  test('is split into pages of 500', async () => {
    const range = { fromDate: await ago(170 * DAY), toDate: await ago(50 * DAY) };
    const first = await get('/getActivities', range);
    const second = await get('/getActivities', { ...range, page: '2' });
    expect([first.body.results.length, second.body.results.length]).toEqual([500, 20]);
    expect([first.body.metadata.nextPage, second.body.metadata.nextPage]).toEqual([2, null]);
  });

  test('filters by the time of the last change', async () => {
    const { body } = await get('/getActivities', { updatedFrom: await ago(20 * MINUTE) });
    expect(body.results.map(({ title }: { title: string }) => title)).toEqual(['Call that has just ended']);
  });

  test.each([
    { title: 'a missing range', query: async () => ({}) },
    { title: 'only the start of the range', query: async () => ({ fromDate: await ago(DAY) }) },
    { title: 'only updatedTo', query: async () => ({ updatedTo: await ago(DAY) }) },
    {
      title: 'ISO 8601 times',
      query: async () => ({ fromDate: '2026-01-01T00:00:00Z', toDate: '2026-02-01T00:00:00Z' }),
    },
    {
      title: 'an end in the future',
      query: async () => ({ fromDate: await ago(DAY), toDate: await ago(-DAY) }),
    },
    {
      title: 'a range that ends before its start',
      query: async () => ({ fromDate: await ago(DAY), toDate: await ago(2 * DAY) }),
    },
    {
      title: 'a range of six months',
      query: async () => ({ fromDate: await ago(190 * DAY), toDate: await ago(DAY) }),
    },
    { title: 'an open range of six months', query: async () => ({ updatedFrom: await ago(190 * DAY) }) },
    { title: 'a day that does not exist', query: async () => ({ updatedFrom: '2026-02-30 00:00:00' }) },
    { title: 'an unknown status', query: async () => ({ ...(await lately()), status: 'done' }) },
    { title: 'the page 0', query: async () => ({ ...(await lately()), page: '0' }) },
  ])('is refused with $title', async ({ query }) => {
    const { status, body } = await call('GET', '/getActivities', { query: await query() });
    expect(status).toBe(422);
    expect(body.message).not.toBe('');
  });

  test('accepts a date as start of the range', async () => {
    const [fromDate] = (await ago(2 * DAY)).split(' ');
    const { status } = await get('/getActivities', { fromDate: `${fromDate}`, toDate: await ago(MINUTE) });
    expect(status).toBe(200);
  });
});

describe('the analysis of a recording', () => {
  test('contains a transcript, questions and matched triggers', async () => {
    const query = { activityId: await activity('Engine demonstration') };
    const [transcript, questions, matches] = await Promise.all(
      ['/getTranscription', '/getQuestions', '/getMatchedTriggers'].map((path) => get(path, query)),
    );
    expect(transcript?.body[0]).toEqual({
      startsAt: 0,
      endsAt: 5.25,
      participantId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      transcript: 'What would the engine have to do for you?',
    });
    expect(
      questions?.body.map(({ engaging, insightful }: Record<string, boolean>) => [engaging, insightful]),
    ).toEqual([
      [true, true],
      [true, false],
    ]);
    expect(matches?.body.map(({ topic, trigger }: Record<string, string>) => [topic, trigger])).toEqual([
      ['Pricing', 'price'],
      ['Budget', 'budget'],
      ['Pricing', 'discount'],
      ['Timeline', 'by friday'],
    ]);
  });

  test('contains a summary as text or HTML, and action items', async () => {
    const query = { activityId: await activity('Engine demonstration') };
    const text = await get('/getSummary', query);
    const page = await get('/getSummary', { ...query, format: 'html' });
    const items = await get('/getActionItems', query);
    expect(text.body).toEqual({ summary: { content: expect.stringContaining('Ben needs tables') } });
    expect(page.body.summary.content).toBe(`<p>${text.body.summary.content}</p>`);
    expect(items.body).toEqual({ actionItems: { content: [expect.stringContaining('offer')] } });
  });

  test('is not found while it is generated', async () => {
    const query = { activityId: await activity('Call that has just ended') };
    expect(await get('/getSummary', query)).toMatchObject({
      status: 404,
      body: { message: 'Summary is being generated.' },
    });
    await sandbox.clock.advance(11 * MINUTE);
    expect((await get('/getSummary', query)).status).toBe(200);
    expect((await get('/getActionItems', query)).status).toBe(200);
  });

  test.each([
    { title: 'Call without an analysis', path: '/getSummary', expected: { status: 204, body: undefined } },
    { title: 'Call in silence', path: '/getSummary', expected: { status: 200, body: { summary: null } } },
    {
      title: 'Call in silence',
      path: '/getActionItems',
      expected: { status: 200, body: { actionItems: null } },
    },
  ])('is empty for the recording "$title" at $path', async ({ title, path, expected }) => {
    expect(await get(path, { activityId: await activity(title) })).toMatchObject(expected);
  });

  test('has no transcript of a running call', async () => {
    const activityId = await activity('Call that goes on', 'in-progress');
    expect((await get('/getTranscription', { activityId })).status).toBe(204);
  });

  test.each([
    { title: 'a missing id', query: {}, status: 422 },
    { title: 'an id that is not a UUID', query: { activityId: '7' }, status: 422 },
    { title: 'an unknown id', query: { activityId: UNKNOWN }, status: 404 },
  ])('is refused with $title', async ({ query, status }) => {
    expect(await get('/getTranscription', query)).toMatchObject({
      status,
      body: { message: expect.any(String) },
    });
  });

  test('is hidden from another organization', async () => {
    const query = { activityId: await activity('Engine demonstration') };
    expect(await call('GET', '/getSummary', { key: 'sandbox-other', query })).toMatchObject({
      status: 404,
      body: { message: 'Activity not found.' },
    });
  });
});
