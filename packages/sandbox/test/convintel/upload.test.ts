import { expect, test } from 'vitest';
import { ago, call, get, lately, MINUTE, sandbox, upload, useConvintel } from './setup.js';

useConvintel();

test('an uploaded recording becomes a call, gets a transcript and then a summary', async () => {
  const { status, body } = await upload({ title: 'Old call', externalId: 'pbx-7' });
  const query = { activityId: body.id };
  const before = await get('/getTranscription', query);
  await sandbox.clock.advance(6 * MINUTE);
  const transcript = await get('/getTranscription', query);
  const early = await get('/getSummary', query);
  await sandbox.clock.advance(5 * MINUTE);
  const summary = await get('/getSummary', query);
  const list = await get('/getActivities', await lately());

  expect(status).toBe(201);
  expect([before.status, transcript.status, early.status, summary.status]).toEqual([204, 200, 404, 200]);
  expect(transcript.body[0].transcript).toContain('Old call');
  expect(list.body.results[0]).toMatchObject({ id: body.id, title: 'Old call', externalId: 'pbx-7' });
});

test('an upload without the full analysis gets no summary', async () => {
  const { body } = await upload({ skipFullAnalysis: 'true' });
  await sandbox.clock.advance(11 * MINUTE);
  expect((await get('/getSummary', { activityId: body.id })).status).toBe(204);
});

test('an upload accepts the URL of a recording', async () => {
  const fields = { hostUserEmail: 'ada@example.com', language: 'en_GB', title: 'From the archive' };
  const recordingUrl = 'https://files.example.com/call.mp3';
  const { status, body } = await call('POST', '/uploadActivity', { body: { ...fields, recordingUrl } });
  expect([status, typeof body.id]).toEqual([201, 'string']);
});

test('an upload with a used external id of the same host is refused', async () => {
  const externalId = 'pbx-7';
  expect((await upload({ externalId })).status).toBe(201);
  expect(await upload({ externalId })).toMatchObject({
    status: 422,
    body: { errors: { externalId: ['The externalId has already been taken.'] } },
  });
  expect((await upload({ externalId, hostUserEmail: 'grace@example.com' })).status).toBe(201);
});

test.each([
  { title: 'a host outside the organization', field: 'hostUserEmail', value: 'eve@example.com' },
  { title: 'a language without a country', field: 'language', value: 'en' },
  { title: 'a missing title', field: 'title', value: '' },
  { title: 'a long title', field: 'title', value: 'x'.repeat(251) },
  { title: 'a long account id', field: 'accountId', value: 'x'.repeat(101) },
  { title: 'a long external id', field: 'externalId', value: 'x'.repeat(192) },
  { title: 'a long lead id', field: 'leadId', value: 'x'.repeat(181) },
  { title: 'a long opportunity id', field: 'opportunityId', value: 'x'.repeat(101) },
  { title: 'a date with a time', field: 'completedAt', value: '2026-01-01 00:00:00' },
  { title: 'an invalid flag', field: 'skipFullAnalysis', value: 'maybe' },
])('an upload is refused with $title', async ({ field, value }) => {
  expect(await upload({ [field]: value })).toMatchObject({
    status: 422,
    body: { errors: { [field]: [expect.any(String)] } },
  });
});

test.each([
  { title: 'a missing file', file: null },
  { title: 'an empty file', file: new Blob([]) },
])('an upload with $title is refused and creates no activity', async ({ file }) => {
  const response = await upload({}, file);
  const list = await get('/getActivities', { updatedFrom: await ago(MINUTE), status: 'in-progress' });
  expect(response).toMatchObject({ status: 422, body: { errors: { file: [expect.any(String)] } } });
  expect(list.body.results).toEqual([]);
});

test.each([
  { title: 'a URL-encoded form', type: 'application/x-www-form-urlencoded', body: 'title=x' },
  { title: 'a truncated multipart body', type: 'multipart/form-data; boundary=x', body: '--x\r\nContent' },
])('an upload is refused as $title', async ({ type, body }) => {
  expect((await call('POST', '/uploadActivity', { body, headers: { 'content-type': type } })).status).toBe(
    400,
  );
});
