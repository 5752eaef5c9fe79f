import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWatching } from '../support/events/start-watching.js';
import type { Watching } from '../support/events/watching.js';
import { connectAccount, type Service } from '../support/service/service.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let service: Service;
let watching: Watching;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ service, watching, stop } = await startWatching());
});
afterAll(() => stop());

test('a sync token that has expired causes a complete list, from which only differences are reported', async () => {
  const { createWatch, started, run, reported, advance, get } = watching;
  const create = async (summary: string) =>
    (await run('calendar_create_event', { summary, start_datetime: '2026-12-02T09:00:00Z' })).id;
  const [kept, removed] = [await create('Kept'), await create('Removed')];
  const watch = await createWatch('calendar_list_events', { max_results: 2 });
  await started(watch.id);
  await watching.disable(watch.id);
  await run('calendar_delete_event', { event_id: removed });
  await run('calendar_update_event', { calendar_id: 'primary', event_id: kept, summary: 'Changed' });
  const added = await create('Added');
  // The sandbox forgets sync tokens after 30 days.
  await advance(31 * DAY_MS);
  await watching.enable(watch.id);
  await expect.poll(async () => (await reported(watch.id)).length).toBe(3);
  expect((await reported(watch.id)).toSorted()).toEqual(
    [`changed ${kept}`, `created ${added}`, `deleted ${removed}`].toSorted(),
  );
  expect((await get(watch.id)).state).toBe('watching');
});

test.each(['workspace_pages_search', 'workspace_content_search'])(
  'edits of pages in a watched %s are reported once, after the minute to which the upstream rounds',
  async (toolName) => {
    const { createWatch, started, run, reported, advance } = watching;
    const { results } = await run<{ results: { id: string }[] }>('workspace_pages_search', {});
    const [parent] = results;
    const title = (content: string) => ({ title: { title: [{ text: { content } }] } });
    await advance(5 * MINUTE_MS);
    const watch = await createWatch(toolName, { page_size: 1 });
    await started(watch.id);
    const { id } = await run('workspace_page_create', {
      parent_page_id: parent?.id,
      properties: title('Minutes'),
    });
    await run('workspace_page_update', { page_id: id, properties: title('Minutes of today') });
    await advance(2 * MINUTE_MS);
    await expect.poll(() => reported(watch.id)).toContain(`created ${id}`);
    await run('workspace_page_update', { page_id: id, properties: title('Minutes of Monday') });
    await advance(2 * MINUTE_MS);
    await expect.poll(() => reported(watch.id)).toContain(`changed ${id}`);
    await advance(2 * MINUTE_MS);
    await watching.polled(watch.id);
    const own = (await reported(watch.id)).filter((each) => each.endsWith(String(id)));
    expect(own).toEqual([`created ${id}`, `changed ${id}`]);
    await watching.remove(watch.id);
  },
);

test('a watched list of activities reports a call when it is processed, and each later change', async () => {
  const { createWatch, started, run, reported, advance } = watching;
  const watch = await createWatch('convintel_activities_list', {});
  await started(watch.id);
  const { id } = await run<{ id: string }>('convintel_activity_upload', {
    hostUserEmail: 'ada@example.com',
    language: 'en_GB',
    title: 'Watched call',
    recordingUrl: 'https://files.example.com/call.mp3',
  });
  await advance(6 * MINUTE_MS);
  await expect.poll(() => reported(watch.id)).toContain(`created ${id}`);
  await advance(6 * MINUTE_MS);
  await expect.poll(() => reported(watch.id)).toContain(`changed ${id}`);
  await advance(6 * MINUTE_MS);
  await watching.polled(watch.id);
  const own = (await reported(watch.id)).filter((each) => each.endsWith(id));
  expect(own).toEqual([`created ${id}`, `changed ${id}`]);
  await watching.remove(watch.id);
});

test('a watched list of reports reports each new report once', async () => {
  const { createWatch, started, run, reported, advance } = watching;
  const job = await run<{ id: string }>('video_reporting_create_job', {
    report_type_id: 'channel_basic_a3',
    name: 'Daily activity',
  });
  const input = { job_id: job.id, page_size: 2 };
  const watch = await createWatch('video_reporting_list_reports', input);
  await started(watch.id);
  await advance(3 * DAY_MS);
  await expect.poll(async () => (await reported(watch.id)).length).toBeGreaterThan(30);
  await advance(DAY_MS);
  const { reports } = await run<{ reports: { id: string }[] }>('video_reporting_list_reports', {
    job_id: job.id,
    page_size: 100,
  });
  const expected = reports.map(({ id }) => `created ${id}`).toSorted();
  await expect.poll(async () => (await reported(watch.id)).toSorted()).toEqual(expected);
  await watching.remove(watch.id);
});

test('a 429 postpones a poll until the time that the upstream names', async () => {
  const { createWatch, started, run, reported, get } = watching;
  const watch = await createWatch('calendar_list_events', { max_results: 5 });
  await started(watch.id);
  await service.sandbox.dials('calendar', {
    failNext: { count: 100, status: 429, headers: { 'retry-after': '3600' }, match: { method: 'GET' } },
  });
  const wait = async () => Date.parse((await get(watch.id)).nextPollAt ?? '') - Date.now();
  await expect.poll(wait).toBeGreaterThan(50 * MINUTE_MS);
  await service.sandbox.dials('calendar', { failNext: null });
  const { id } = await run('calendar_create_event', {
    summary: 'Late',
    start_datetime: '2026-12-03T09:00:00Z',
  });
  await watching.advance(61 * MINUTE_MS);
  await expect.poll(() => reported(watch.id)).toEqual([`created ${id}`]);
  expect((await get(watch.id)).state).toBe('watching');
  await watching.remove(watch.id);
});

test('a watch pauses once when its account needs a new consent, and continues after it', async () => {
  const { call, createWatch, started, run, reported, get } = watching;
  await connectAccount(service, 'calendar', 'bob');
  const watch = await createWatch('calendar_list_events', {}, { identifier: 'bob' });
  await started(watch.id);
  await call('POST', '/v1/connections/calendar/accounts/bob/revoke');
  await expect.poll(async () => (await get(watch.id)).state).toBe('paused');
  await expect.poll(() => reported(watch.id)).toEqual(['watch.failed account_not_authorized']);
  const { id } = await run('calendar_create_event', {
    summary: 'Paused',
    start_datetime: '2026-12-04T09:00:00Z',
  });
  await connectAccount(service, 'calendar', 'bob');
  await expect.poll(() => reported(watch.id)).toContain(`created ${id}`);
  expect((await reported(watch.id)).filter((each) => each.startsWith('watch.failed'))).toHaveLength(1);
  expect(await get(watch.id)).toMatchObject({ state: 'watching' });
  await call('DELETE', '/v1/connections/calendar/accounts/bob');
  expect((await call('GET', `/v1/watches/${watch.id}`)).status).toBe(404);
});

test('a watch whose list the upstream refuses ends, and continues when it is enabled again', async () => {
  const { createWatch, started, reported, get } = watching;
  const watch = await createWatch('calendar_list_events', { max_results: 7 });
  await started(watch.id);
  await service.sandbox.dials('calendar', {
    failNext: { count: 1000, status: 404, match: { method: 'GET' } },
  });
  await expect
    .poll(async () => {
      await watching.advance(5000);
      return (await get(watch.id)).state;
    })
    .toBe('failed');
  await service.sandbox.dials('calendar', { failNext: null });
  // An event is listed after its commit, when the background has given it a position.
  await expect.poll(() => reported(watch.id)).toEqual(['watch.failed call_rejected']);
  expect(await get(watch.id)).toMatchObject({ reason: 'call_rejected' });
  await watching.enable(watch.id);
  await started(watch.id);
  await watching.remove(watch.id);
});

test('a watch from the start reports the existing items as new', async () => {
  const { createWatch, started, reported, run } = watching;
  const { items } = await run<{ items: { id: string }[] }>('calendar_list_events', { max_results: 2500 });
  const watch = await createWatch('calendar_list_events', { max_results: 3 }, { from: 'start' });
  await started(watch.id);
  const expected = items.map(({ id }) => `created ${id}`).toSorted();
  await expect.poll(async () => (await reported(watch.id)).toSorted()).toEqual(expected);
  await watching.remove(watch.id);
});

test('a tool whose calls need approval cannot be watched, and a later policy ends its watches', async () => {
  const { call, createWatch, started, reported, get } = watching;
  const watch = await createWatch('workspace_pages_search', { page_size: 5 });
  await started(watch.id);
  const approve = { default: 'never', tools: { workspace_pages_search: 'always' } };
  expect((await call('PATCH', '/v1/connections/workspace', { body: { approve } })).status).toBe(200);
  await expect.poll(async () => (await get(watch.id)).state).toBe('failed');
  await expect.poll(() => reported(watch.id)).toContain('watch.failed approval_required');
  const body = { toolName: 'workspace_pages_search', connectionName: 'workspace', identifier: 'ada' };
  const refused = await call('POST', '/v1/watches', { body: { ...body, toolInput: {} } });
  expect(refused.status).toBe(409);
  expect((await call('GET', '/v1/approvals')).json()).toEqual({ items: [] });
  await call('PATCH', '/v1/connections/workspace', { body: { approve: { default: 'never' } } });
  await watching.remove(watch.id);
});
