import { describe, expect, test, vi } from 'vitest';
import { downloadCaptions } from './download-captions.js';
import { insertVideo } from './insert-video.js';
import { setThumbnail } from './set-thumbnail.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex');
const withSize = (start: Buffer, size: number): string =>
  Buffer.concat([start, Buffer.alloc(size - start.length)]).toString('base64');
const context = {
  sleep: async () => undefined,
  exchange: () => expect.unreachable('The tool reads no headers.'),
  readLink: () => expect.unreachable('The tool opens no link.'),
};
const VIDEO = { title: 'Gears', privacy_status: 'private', notify_subscribers: false } as const;

describe('the thumbnail upload', () => {
  test.each([
    { title: 'PNG', start: PNG, type: 'image/png' },
    { title: 'JPEG', start: JPEG, type: 'image/jpeg' },
  ])('sends a $title picture of exactly 2 MiB with its media type', async ({ start, type }) => {
    const send = vi.fn();
    const image = withSize(start, 2 * 1024 * 1024);
    await setThumbnail({ video_id: 'v1', image }, send, context);
    expect(send.mock.calls).toMatchObject([
      [{ query: { videoId: 'v1', uploadType: 'media' }, body: { $file: image, type }, encoding: 'file' }],
    ]);
  });

  test.each([
    { title: 'more than 2 MiB', image: withSize(PNG, 2 * 1024 * 1024 + 1), rule: 'maxBytes' },
    { title: 'a GIF', image: Buffer.from('GIF89a').toString('base64'), rule: 'imageType' },
    { title: 'a data URL', image: `data:image/png;base64,${PNG.toString('base64')}`, rule: 'base64' },
    { title: 'Base64 for URLs', image: '_9j_4AAQ', rule: 'base64' },
    { title: 'Base64 with line breaks', image: `${PNG.toString('base64')}\n`, rule: 'base64' },
  ])('refuses $title before anything is sent', async ({ image, rule }) => {
    const send = vi.fn();
    await expect(setThumbnail({ video_id: 'v1', image }, send, context)).rejects.toMatchObject({
      code: 'invalid_input',
      details: { errors: [{ field: 'image', rule }] },
    });
    expect(send).not.toHaveBeenCalled();
  });
});

describe('the video upload', () => {
  const content = Buffer.from('film').toString('base64');

  test('sends the metadata before the file and always the privacy', async () => {
    const send = vi.fn();
    await insertVideo({ ...VIDEO, content, tags: ['engine'], made_for_kids: false }, send, context);
    expect(send.mock.calls).toMatchObject([
      [
        {
          path: '/upload/youtube/v3/videos',
          query: { uploadType: 'multipart', notifySubscribers: false },
          body: [
            {
              snippet: { title: 'Gears', tags: ['engine'] },
              status: { privacyStatus: 'private', selfDeclaredMadeForKids: false },
            },
            { $file: content },
          ],
          encoding: 'related',
        },
      ],
    ]);
  });

  test.each([
    {
      title: 'a file of more than 8 MiB',
      input: { content: withSize(PNG, 8 * 1024 * 1024 + 1) },
      field: 'content',
    },
    { title: 'a file that is not Base64', input: { content: 'a film' }, field: 'content' },
    { title: 'a long description', input: { content, description: 'ä'.repeat(2501) }, field: 'description' },
    { title: 'too many tags', input: { content, tags: ['a'.repeat(250), 'b'.repeat(251)] }, field: 'tags' },
  ])('refuses $title before anything is sent', async ({ input, field }) => {
    const send = vi.fn();
    await expect(insertVideo({ ...VIDEO, ...input }, send, context)).rejects.toMatchObject({
      code: 'invalid_input',
      details: { errors: [{ field }] },
    });
    expect(send).not.toHaveBeenCalled();
  });
});

describe('the caption download', () => {
  test.each([
    {
      title: 'removes numbers, times and markup from plain text',
      srt: '\uFEFF1\r\n00:00:01,000 --> 00:00:02,500\r\n<b>Hello</b>\r\nyou\r\n\r\n2\r\n01:00:03,000 --> 01:02:03,004\r\n1843\r\n',
      text: 'Hello you\n1843',
    },
    { title: 'omits cues without words', srt: '1\n00:00:01,000 --> 00:00:02,000\n\n\n', text: '' },
    { title: 'returns an empty text for an empty track', srt: null, text: '' },
  ])('$title', async ({ srt, text }) => {
    const data = await downloadCaptions({ caption_id: 'c1', format: 'text' }, async () => srt);
    expect(data).toEqual({ id: 'c1', format: 'text', text });
  });

  test('refuses an id with parent segments', async () => {
    const send = vi.fn();
    await expect(downloadCaptions({ caption_id: '../videos', format: 'vtt' }, send)).rejects.toThrow(
      /"caption_id" cannot be an id/,
    );
    expect(send).not.toHaveBeenCalled();
  });
});
