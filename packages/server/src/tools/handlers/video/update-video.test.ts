import { describe, expect, test, vi } from 'vitest';
import type { VideoVideosUpdateInput } from '../../../generated/handlers.js';
import type { Send } from '../../handler.js';
import { updateVideo } from './update-video.js';

const PLANNED = '2026-12-01T09:00:00Z';
const snippet = {
  title: 'Notes',
  description: 'How it works',
  categoryId: '27',
  tags: ['engine'],
  defaultLanguage: 'en',
  defaultAudioLanguage: 'en-GB',
};
const status = {
  privacyStatus: 'private',
  license: 'creativeCommon',
  embeddable: false,
  publicStatsViewable: false,
  publishAt: PLANNED,
  selfDeclaredMadeForKids: true,
  containsSyntheticMedia: true,
};
const readOnly = {
  snippet: { channelId: 'UCada', localized: {}, liveBroadcastContent: 'none' },
  status: { uploadStatus: 'processed', madeForKids: true },
};
const stored = {
  id: 'v1',
  snippet: { ...snippet, ...readOnly.snippet },
  status: { ...status, ...readOnly.status },
};
const INPUT = { title: 'Notes', category_id: '27' };

type Change = VideoVideosUpdateInput extends infer Input
  ? Input extends unknown
    ? Omit<Input, 'video_id'>
    : never
  : never;
const inputOf = (change: Change): VideoVideosUpdateInput => ({ video_id: 'v1', ...change });

/**
 * Runs an update of a video. Returns the query of the write, whose `part` must equal the part that was read, and the
 * body.
 */
async function update(change: Change, current: object = stored) {
  const send = vi
    .fn<Send>()
    .mockResolvedValueOnce({ items: [current] })
    .mockResolvedValueOnce({ id: 'v1' });
  expect(await updateVideo(inputOf(change), send)).toEqual({ id: 'v1' });
  const [read, write] = send.mock.calls.map(([request]) => request);
  expect(read?.query).toEqual({ ...write?.query, id: 'v1' });
  return Object.assign({}, write?.query, write?.body);
}

describe('a change of the texts', () => {
  test.each<{ title: string; change: Change; expected: object }>([
    { title: 'title', change: { ...INPUT, title: 'New' }, expected: { title: 'New' } },
    { title: 'category', change: { ...INPUT, category_id: '28' }, expected: { categoryId: '28' } },
    { title: 'empty description', change: { ...INPUT, description: '' }, expected: { description: '' } },
    { title: 'empty list of tags', change: { ...INPUT, tags: [] }, expected: { tags: [] } },
    {
      title: 'language',
      change: { ...INPUT, default_language: 'de' },
      expected: { defaultLanguage: 'de' },
    },
  ])('keeps description, tags and both languages with a new $title', async ({ change, expected }) => {
    expect(await update(change)).toStrictEqual({
      part: 'snippet',
      id: 'v1',
      snippet: { ...snippet, ...expected },
    });
  });
});

describe('a change of the status', () => {
  test.each<{ title: string; change: Change; expected: object }>([
    { title: 'licence', change: { license: 'youtube' }, expected: { license: 'youtube' } },
    { title: 'embedding', change: { embeddable: true }, expected: { embeddable: true } },
    {
      title: 'visible statistics',
      change: { public_stats_viewable: true },
      expected: { publicStatsViewable: true },
    },
    { title: 'the same privacy', change: { privacy_status: 'private' }, expected: {} },
  ])('keeps the planned publication and everything else with $title', async ({ change, expected }) => {
    expect(await update(change)).toStrictEqual({
      part: 'status',
      id: 'v1',
      status: { ...status, ...expected },
    });
  });

  test.each(['public', 'unlisted'] as const)(
    'removes the planned publication when the video becomes %s',
    async (privacy_status) => {
      const { publishAt: _, ...rest } = status;
      expect(await update({ privacy_status })).toStrictEqual({
        part: 'status',
        id: 'v1',
        status: { ...rest, privacyStatus: privacy_status },
      });
    },
  );

  test('a video update writes no value that is not stored', async () => {
    const current = { id: 'v1', status: { privacyStatus: 'public', license: 'youtube' } };
    expect(await update({ embeddable: false }, current)).toStrictEqual({
      part: 'status',
      id: 'v1',
      status: { privacyStatus: 'public', license: 'youtube', embeddable: false },
    });
  });
});

test('a video update writes both parts when both change', async () => {
  expect(await update({ ...INPUT, tags: ['gears'], embeddable: true })).toStrictEqual({
    part: 'snippet,status',
    id: 'v1',
    snippet: { ...snippet, tags: ['gears'] },
    status: { ...status, embeddable: true },
  });
});

test('a video update writes nothing for a missing video', async () => {
  const send = vi.fn(async () => ({}));
  await expect(updateVideo(inputOf({ embeddable: true }), send)).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(send).toHaveBeenCalledOnce();
});

test.each<{ title: string; change: Change; field: string }>([
  {
    title: 'a description of more than 5000 bytes',
    change: { ...INPUT, description: 'ä'.repeat(2501) },
    field: 'description',
  },
  {
    title: 'tags of more than 500 characters in total',
    change: { ...INPUT, tags: ['a'.repeat(250), 'b'.repeat(251)] },
    field: 'tags',
  },
])('a video update refuses $title before anything is sent', async ({ change, field }) => {
  const send = vi.fn();
  await expect(updateVideo(inputOf(change), send)).rejects.toMatchObject({
    code: 'invalid_input',
    details: { errors: [{ field }] },
  });
  expect(send).not.toHaveBeenCalled();
});

test('a video update accepts texts of exactly the allowed length', async () => {
  const change = { ...INPUT, description: 'ä'.repeat(2500), tags: ['a'.repeat(250), '😀'.repeat(250)] };
  expect(await update(change)).toMatchObject({
    snippet: { description: change.description, tags: change.tags },
  });
});
