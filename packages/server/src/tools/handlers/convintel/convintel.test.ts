import { describe, expect, test, vi } from 'vitest';
import { ServiceError } from '../../../errors.js';
import { noMcp } from '../../no-mcp.js';
import { convintel } from './convintel.js';

const context = {
  now: () => new Date('2026-11-20T12:00:00Z'),
  randomId: () => 'id-1',
  sleep: async () => undefined,
  mcp: noMcp,
};
const ACTIVITY = { activityId: '6f0d0c6e-2f0b-4c58-9a54-5a6a3c1f7e21' };
const failed = (status: number, body: unknown) => new ServiceError('upstream_failed', '', { status, body });

describe.each([
  { part: 'summary', fetch: convintel.convintel_summary_get },
  { part: 'actionItems', fetch: convintel.convintel_action_items_get },
])('the $part of an activity', ({ part, fetch }) => {
  test.each([
    {
      title: 'ready',
      answer: { [part]: { content: 'x' } },
      data: { status: 'ready', [part]: { content: 'x' } },
    },
    { title: 'none for an empty answer', answer: null, data: { status: 'none', [part]: null } },
    { title: 'none for null', answer: { [part]: null }, data: { status: 'none', [part]: null } },
  ])('is $title', async ({ answer, data }) => {
    expect(await fetch(ACTIVITY, async () => answer, context)).toEqual(data);
  });

  test.each([
    { title: 'message', body: { message: 'Summary is being generated.' } },
    { title: 'error', body: { error: 'It is Being Generated' } },
    { title: 'error.message', body: { error: { message: 'still being generated' } } },
    { title: 'plain text', body: 'being generated' },
  ])('is generating when a 404 says so by $title', async ({ body }) => {
    const answer = await fetch(ACTIVITY, () => Promise.reject(failed(404, body)), context);
    expect(answer).toEqual({ status: 'generating', [part]: null });
  });

  test.each([
    { title: 'another 404', error: failed(404, { message: 'Activity not found.' }) },
    { title: 'a 404 without a body', error: failed(404, null) },
    { title: 'another status with the same words', error: failed(422, { message: 'being generated' }) },
    { title: 'an error that is not ours', error: new Error('being generated') },
  ])('passes on $title', async ({ error }) => {
    await expect(fetch(ACTIVITY, () => Promise.reject(error), context)).rejects.toBe(error);
  });

  test('is an error when the answer is no object', async () => {
    await expect(fetch(ACTIVITY, async () => [], context)).rejects.toMatchObject({ code: 'upstream_failed' });
  });
});

describe('convintel_activities_list', () => {
  const input = { fromDate: '2025-03-01 00:00:00', toDate: '2025-03-02 00:00:00', page: 1 };

  test.each([
    { title: 'the next page', metadata: { page: 1, maxPage: 3, nextPage: 2 }, nextPage: 2 },
    { title: 'the next page when the last is not told', metadata: { nextPage: 2 }, nextPage: 2 },
    { title: 'null after the last page', metadata: { page: 3, maxPage: 3, nextPage: null }, nextPage: null },
    {
      title: 'null after the last page by its number',
      metadata: { page: 3, maxPage: 3, nextPage: 4 },
      nextPage: null,
    },
    { title: 'null without metadata', metadata: undefined, nextPage: null },
  ])('names $title', async ({ metadata, nextPage }) => {
    const answer = { results: [], metadata, failed: ['a'] };
    const data = await convintel.convintel_activities_list(input, async () => answer, context);
    expect(data).toEqual({ ...answer, nextPage });
  });
});

describe('convintel_activity_upload', () => {
  const fields = { hostUserEmail: 'ada@example.com', language: 'en_GB', title: 'Call' };

  test('sends nothing without a recording, and says how one is given', async () => {
    const send = vi.fn();
    const upload = convintel.convintel_activity_upload(fields, send, context);
    await expect(upload).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/recordingUrl.*proxy.*POST \/uploadActivity.*multipart\/form-data/),
      details: { errors: [{ field: 'recordingUrl', rule: 'required' }] },
    });
    expect(send).not.toHaveBeenCalled();
  });

  test('is an error when the answer names no activity', async () => {
    const input = { ...fields, recordingUrl: 'https://files.example.com/a.mp3' };
    const upload = convintel.convintel_activity_upload(input, async () => ({}), context);
    await expect(upload).rejects.toMatchObject({ code: 'upstream_failed' });
  });
});
