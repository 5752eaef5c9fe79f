import { describe, expect, test } from 'vitest';
import { ago, call, DAY, get, lately, MINUTE, sandbox, UNKNOWN, useConvintel } from './setup.js';

useConvintel();

describe('a request to the convintel API', () => {
  test.each([
    { title: 'a key in its own region', key: 'sandbox-key', region: 'us' as const, status: 200 },
    { title: 'a European key in Europe', key: 'sandbox-eu-key', region: 'eu' as const, status: 200 },
    { title: 'a European key in the US', key: 'sandbox-eu-key', region: 'us' as const, status: 401 },
    { title: 'a US key in Europe', key: 'sandbox-key', region: 'eu' as const, status: 401 },
    { title: 'an unknown key', key: 'eyJhbGciOi', region: 'us' as const, status: 401 },
  ])('returns $status for $title', async ({ key, region, status }) => {
    const response = await call('GET', '/me', { key, region });
    expect(response.status).toBe(status);
    if (status === 401) expect(response.body).toEqual({ error: 'Unauthenticated.' });
  });

  test.each([
    { path: '/getActivities', limit: 30 },
    { path: '/me', limit: 120 },
  ])('is limited to $limit per minute and key: $path', async ({ path, limit }) => {
    const query = await lately();
    for (let count = 0; count < limit; count += 1) expect((await get(path, query)).status).toBe(200);

    const refused = await get(path, query);
    const elsewhere = await get('/getUsers');
    const other = await call('GET', path, { key: 'sandbox-other', query });
    await sandbox.clock.advance(MINUTE);
    const later = await get(path, query);

    expect(refused).toMatchObject({ status: 429, body: { message: 'Too Many Attempts.' } });
    expect(refused.headers.has('retry-after')).toBe(false);
    expect([elsewhere.status, other.status, later.status]).toEqual([200, 200, 200]);
  });

  test.each([
    { status: 403, body: { error: 'This action is unauthorized.' } },
    { status: 422, body: { message: 'The given data was invalid.' } },
    { status: 500, body: { error: { message: 'Server Error' } } },
  ])('returns the error body of the service with status $status', async ({ status, body }) => {
    await sandbox.dials('convintel', { failNext: { count: 1, status } });
    expect(await get('/me')).toMatchObject({ status, body });
  });

  test('returns 404 for an unknown path', async () => {
    expect((await get('/nothing')).status).toBe(404);
  });
});

describe('the convintel organization', () => {
  test('has a name and a domain in each region', async () => {
    const { body } = await get('/me');
    expect(body).toMatchObject({ name: 'Analytical Engines Ltd', domain: 'engines.example.com' });
    expect((await call('GET', '/me', { key: 'sandbox-eu', region: 'eu' })).body.name).toBe(
      'Analytical Engines GmbH',
    );
  });

  test('has users in an envelope', async () => {
    const { body } = await get('/getUsers');
    expect(Object.keys(body)).toEqual(['data', 'links']);
    expect(body.data.map(({ name, status }: Record<string, string>) => [name, status])).toEqual([
      ['Ada Lovelace', 'active'],
      ['Grace Hopper', 'active'],
      ['Mary Somerville', 'active'],
      ['Charles Babbage', 'inactive'],
    ]);
  });

  test('has topic triggers as a tree without an envelope', async () => {
    const { body } = await get('/getTriggers');
    expect(body[0]).toMatchObject({
      theme: 'Commercials',
      topics: [{ topic: 'Pricing', triggers: ['price', 'discount'] }, { topic: 'Budget' }],
    });
  });
});

const LISTS = ['/automated-call-scoring', '/coaching-feedback', '/comments', '/listens'];

describe('the lists of records', () => {
  test.each(LISTS)('contain the records of the range: %s', async (path) => {
    const recent = await get(path, await lately());
    const wide = await get(path, { fromDate: await ago(170 * DAY), toDate: await ago(MINUTE) });
    expect(recent.body).toMatchObject({ results: [{}], metadata: { page: 1, nextPage: null } });
    expect(wide.body.results).toHaveLength(2);
  });

  test.each([
    { path: '/automated-call-scoring', name: 'userId', user: 'Ada Lovelace', count: 2 },
    { path: '/coaching-feedback', name: 'coachId', user: 'Mary Somerville', count: 1 },
    { path: '/coaching-feedback', name: 'coacheeId', user: 'Ada Lovelace', count: 2 },
    { path: '/comments', name: 'userId', user: 'Grace Hopper', count: 1 },
    { path: '/listens', name: 'userId', user: 'Mary Somerville', count: 1 },
  ])('filter by one person: $path by $name', async ({ path, name, user, count }) => {
    const { body: users } = await get('/getUsers');
    const { id } = users.data.find((one: { name: string }) => one.name === user);
    const range = { fromDate: await ago(170 * DAY), toDate: await ago(MINUTE) };
    const { body } = await get(path, { ...range, [name]: id });
    expect(body.results).toHaveLength(count);
  });

  test.each(['/coaching-feedback', '/listens'])('require both ends of the range: %s', async (path) => {
    expect((await get(path)).status).toBe(422);
    expect((await get(path, { fromDate: await ago(DAY) })).status).toBe(422);
  });

  test.each(['/automated-call-scoring', '/comments'])('require no range: %s', async (path) => {
    expect((await get(path)).body.results).toHaveLength(2);
  });

  test.each(LISTS)('refuse a date without a time, and ids that are not UUIDs: %s', async (path) => {
    const [fromDate = ''] = (await ago(2 * DAY)).split(' ');
    expect((await get(path, { fromDate, toDate: await ago(DAY) })).status).toBe(422);
    const filter = path === '/coaching-feedback' ? 'coachId' : 'userId';
    expect((await get(path, { ...(await lately()), [filter]: 'ada' })).status).toBe(422);
  });
});

describe('convintel webhooks', () => {
  const webhook = {
    trigger: 'conversation_processed',
    url: 'https://app.example.com/hooks/5f3a',
    external_id: 'hook-1',
  };

  test('are created and deleted once by their organization', async () => {
    const created = await call('POST', '/webhooks', { body: webhook });
    const path = `/webhooks/${created.body.id}`;
    expect(created).toMatchObject({ status: 201, body: { ...webhook, id: expect.any(String) } });
    expect((await call('DELETE', path, { key: 'sandbox-other' })).status).toBe(404);
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('DELETE', path)).status).toBe(404);
  });

  test.each([
    { title: 'an unknown trigger', body: { ...webhook, trigger: 'conversation_lost' } },
    { title: 'a missing trigger', body: { url: webhook.url } },
    { title: 'a URL without https', body: { ...webhook, url: 'http://app.example.com/hook' } },
    { title: 'a long URL', body: { ...webhook, url: `https://app.example.com/${'x'.repeat(170)}` } },
    { title: 'a long external id', body: { ...webhook, external_id: 'x'.repeat(192) } },
  ])('are refused with $title', async ({ body }) => {
    expect(await call('POST', '/webhooks', { body })).toMatchObject({
      status: 422,
      body: { errors: expect.anything() },
    });
  });

  test('are refused with an invalid JSON body', async () => {
    expect((await call('POST', '/webhooks', { body: '{' })).status).toBe(400);
  });

  test('are not deleted with an unknown or invalid id', async () => {
    expect((await call('DELETE', `/webhooks/${UNKNOWN}`)).status).toBe(404);
    expect((await call('DELETE', '/webhooks/7')).status).toBe(422);
  });

  test.each([
    { trigger: 'coaching_feedback_completed', part: { feedback: { score: 5 } } },
    { trigger: 'conversation_processed', part: { activity: { title: 'Engine demonstration' } } },
    { trigger: 'conversation_played', part: { user: { email: 'ada@example.com' } } },
  ])('return a sample payload: $trigger', async ({ trigger, part }) => {
    expect((await get('/webhooks/sample', { trigger })).body).toMatchObject({ trigger, ...part });
  });

  test('refuse a sample for an unknown or missing trigger', async () => {
    expect((await get('/webhooks/sample', { trigger: 'x' })).status).toBe(422);
    expect((await get('/webhooks/sample')).status).toBe(422);
  });
});
