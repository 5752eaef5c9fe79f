import { expect, test, vi } from 'vitest';
import type { HandlerContext, Send } from '../../handler.js';
import { noMcp } from '../../no-mcp.js';
import { video } from './video.js';

const context: HandlerContext = {
  now: () => new Date('2026-11-20T12:00:00Z'),
  randomId: () => 'id-1',
  sleep: async () => undefined,
  mcp: noMcp,
};

const deletions: readonly { readonly name: string; readonly run: (send: Send) => Promise<unknown> }[] = [
  { name: 'a group', run: (send) => video.video_analytics_groups_delete({ group_id: 'g' }, send, context) },
  {
    name: 'a group item',
    run: (send) => video.video_analytics_group_items_delete({ id: 'i' }, send, context),
  },
  { name: 'a job', run: (send) => video.video_reporting_jobs_delete({ job_id: 'j' }, send, context) },
];

test.each(deletions.flatMap((deletion) => [null, {}].map((answer) => ({ ...deletion, answer }))))(
  'gives nothing back when $name was deleted with the answer $answer',
  async ({ run, answer }) => {
    expect(await run(async () => answer)).toBeNull();
  },
);

test.each(deletions)('passes on why $name was not deleted', async ({ run }) => {
  const error = new Error('forbidden');
  await expect(run(() => Promise.reject(error))).rejects.toBe(error);
});

test('keeps a job id one segment of the path', async () => {
  const send = vi.fn(async () => null);
  await video.video_reporting_jobs_delete({ job_id: 'a b?c' }, send, context);
  expect(send).toHaveBeenCalledWith(
    expect.objectContaining({ method: 'DELETE', host: 'reporting', path: '/v1/jobs/a%20b%3Fc' }),
  );
});

test.each(['..', 'a/../b', ''])('refuses the job id "%s" before anything is sent', async (job_id) => {
  const send = vi.fn(async () => null);
  await expect(video.video_reporting_jobs_delete({ job_id }, send, context)).rejects.toMatchObject({
    code: 'invalid_input',
    details: { errors: [{ field: 'job_id' }] },
  });
  expect(send).not.toHaveBeenCalled();
});

test('refuses channels of a content owner, and says what to use instead', async () => {
  const send = vi.fn();
  const input = { part: 'snippet', managed_by_me: true, max_results: 5 } as const;
  await expect(video.video_channels_list(input, send, context)).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(/"managed_by_me" needs a content owner.*through the proxy/),
    details: { errors: [{ field: 'managed_by_me', rule: 'unsupported' }] },
  });
  expect(send).not.toHaveBeenCalled();
});

test('puts a video at position 0 when asked to', async () => {
  const send = vi.fn<Send>(async () => ({ id: 'item' }));
  const input = { playlist_id: 'PL1', video_id: 'v1', position: 0, note: '' };
  await video.video_playlist_items_insert(input, send, context);
  expect(send.mock.lastCall?.[0]).toMatchObject({
    query: { part: 'snippet,contentDetails' },
    body: { snippet: { position: 0 }, contentDetails: { note: '' } },
  });
});
