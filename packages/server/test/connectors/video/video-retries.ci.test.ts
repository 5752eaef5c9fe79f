import type { FailNext } from '@svc/sandbox';
import { type Video, video as videoTools } from '@svc/video';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { rejection } from '../../support/rejection.js';
import { connectApart } from '../../support/service/connect-apart.js';
import { startVideo, type VideoService } from '../../support/upstreams/start-video.js';

let video: VideoService;

beforeAll(async () => {
  // Retries wait a random share of at least 1 s. A share of 0 makes them start at once.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  video = await startVideo();
});

afterAll(() => video.stop());

const reason = (name: string, domain = 'youtube.quota') => ({
  error: { code: 403, message: name, errors: [{ message: name, domain, reason: name }] },
});
const comment = { video_id: 'adaEngine01', text: 'Once' };
const query = { ids: 'channel==MINE', metrics: 'views', start_date: '2026-11-01', end_date: '2026-11-02' };

interface Row {
  readonly title: string;
  readonly dial: FailNext;
  readonly call: (tools: Video) => Promise<unknown>;
  /** Statuses of the responses that the upstream must have sent, in order. */
  readonly statuses: readonly number[];
}

/** Makes the upstream fail, runs the call, and returns the error and the upstream's statuses. */
async function callAgainst({ dial, call }: Pick<Row, 'dial' | 'call'>) {
  const { svc, sandbox } = video.service;
  const tools = videoTools(svc, await connectApart(video.service, 'video'));
  await sandbox.dials('video', { failNext: dial });
  await sandbox.clearRequests();
  const error = await rejection(call(tools));
  const statuses = (await sandbox.requests()).map(({ status }) => status);
  await sandbox.dials('video', { failNext: null });
  return { error, statuses };
}

test.each<Row>([
  {
    title: 'a read after 503',
    dial: { count: 2, status: 503 },
    call: (tools) => tools.playlistsList({ part: 'snippet', mine: true }),
    statuses: [503, 503, 200],
  },
  {
    title: 'an analytics query after 500',
    dial: { count: 1, status: 500 },
    call: (tools) => tools.analyticsQuery(query),
    statuses: [500, 200],
  },
  {
    title: 'a write after 403 rateLimitExceeded',
    dial: { count: 1, status: 403, body: reason('rateLimitExceeded', 'usageLimits') },
    call: (tools) => tools.commentThreadsInsert(comment),
    statuses: [403, 200],
  },
  {
    title: 'the read before an update',
    dial: { count: 1, status: 503, match: { method: 'GET' } },
    call: (tools) => tools.videosUpdate({ video_id: 'adaEngine01', embeddable: true }),
    statuses: [503, 200, 200],
  },
])('retries $title', async ({ statuses, ...row }) => {
  const outcome = await callAgainst(row);

  expect(outcome).toEqual({ error: undefined, statuses });
});

test.each<Row & { status: number; advice: RegExp }>([
  {
    title: 'a comment after 500, which may have been written',
    dial: { count: 1, status: 500 },
    call: (tools) => tools.commentThreadsInsert(comment),
    statuses: [500],
    status: 500,
    advice: /check whether it exists/,
  },
  {
    title: 'a new playlist after 503',
    dial: { count: 1, status: 503 },
    call: (tools) => tools.playlistInsert({ title: 'Once' }),
    statuses: [503],
    status: 503,
    advice: /check whether it exists/,
  },
  {
    title: 'a job after 503',
    dial: { count: 1, status: 503 },
    call: (tools) => tools.reportingCreateJob({ report_type_id: 'channel_combined_a3', name: 'Once' }),
    statuses: [503],
    status: 503,
    advice: /check whether it exists/,
  },
  {
    title: 'a read after 403 quotaExceeded',
    dial: { count: 1, status: 403, body: reason('quotaExceeded') },
    call: (tools) => tools.search({ q: 'engine' }),
    statuses: [403],
    status: 403,
    advice: /midnight Pacific time/,
  },
])('does not retry $title', async ({ statuses, status, advice, ...row }) => {
  const outcome = await callAgainst(row);

  expect(outcome.statuses).toEqual(statuses);
  expect(outcome.error).toMatchObject({ status, advice: expect.stringMatching(advice) });
});

test('an error inside a 200 response of analytics is an error', async () => {
  const body = {
    kind: 'youtube#group',
    errors: { error: [{ domain: 'global', code: 'invalid', location: 'title' }] },
  };
  const { error, statuses } = await callAgainst({
    dial: { count: 1, status: 200, body },
    call: (tools) => tools.analyticsGroupCreate({ title: 'G', item_type: 'youtube#video' }),
  });

  expect(statuses).toEqual([200]);
  expect(error).toMatchObject({ code: 'upstream_failed', status: 200, body });
});
