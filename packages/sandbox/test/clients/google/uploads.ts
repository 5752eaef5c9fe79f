import { Readable } from 'node:stream';
import type { youtube_v3 } from '@googleapis/youtube';
import { expect } from 'vitest';
import type { GoogleOperation } from './operation.js';

type VideoOperation = GoogleOperation<youtube_v3.Youtube>;

const part = ['snippet'];

/** PNG header of a picture of 300 × 300 pixels. The pixel data is missing, because only the header is read. */
const PICTURE = Buffer.from('89504e470d0a1a0a0000000d494844520000012c0000012c', 'hex');
const SRT = '1\n00:00:01,000 --> 00:00:02,000\nHello\n';
const picture = () => ({ mimeType: 'image/png', body: Readable.from([PICTURE]) });
const text = (body: string) => ({ mimeType: 'text/plain', body });

/** Upload operations with and without metadata. */
export const uploads: readonly VideoOperation[] = [
  {
    name: 'videos.insert',
    call: ({ api, at }) =>
      at((o) =>
        api.videos.insert(
          {
            part: ['snippet', 'status'],
            requestBody: {
              snippet: { title: 'Sent', categoryId: '28' },
              status: { privacyStatus: 'unlisted' },
            },
            media: { mimeType: 'video/mp4', body: Readable.from([Buffer.from('frames')]) },
          },
          o,
        ),
      ),
    gives: { snippet: { title: 'Sent' } },
    saves: { sent: 'id', sender: 'snippet.channelId' },
  },
  {
    name: 'videos.insert, what is no video',
    call: ({ api, at }) =>
      at((o) => api.videos.insert({ part, requestBody: {}, media: text('frames') }, { ...o, retry: false })),
    throws: { code: 400 },
  },
  {
    name: 'thumbnails.set',
    call: ({ api, at }, id) => at((o) => api.thumbnails.set({ videoId: id('sent'), media: picture() }, o)),
    gives: { kind: 'youtube#thumbnailSetResponse' },
  },
  {
    name: 'thumbnails.set, no picture',
    call: ({ api, at }, id) =>
      at((o) => api.thumbnails.set({ videoId: id('sent'), media: { mimeType: 'image/png', body: 'x' } }, o)),
    throws: { code: 400 },
  },
  {
    name: 'captions.insert',
    call: ({ api, at }, id) =>
      at((o) =>
        api.captions.insert(
          {
            part,
            requestBody: { snippet: { videoId: id('sent'), language: 'en', name: 'By hand' } },
            media: text(SRT),
          },
          o,
        ),
      ),
    gives: { kind: 'youtube#caption' },
    saves: { caption: 'id' },
  },
  {
    name: 'captions.insert, again',
    call: ({ api, at }, id) =>
      at((o) =>
        api.captions.insert(
          {
            part,
            requestBody: { snippet: { videoId: id('sent'), language: 'en', name: 'By hand' } },
            media: text(SRT),
          },
          o,
        ),
      ),
    throws: { code: 409 },
  },
  {
    name: 'captions.update',
    call: ({ api, at }, id) =>
      at((o) =>
        api.captions.update(
          {
            part,
            requestBody: { id: id('caption'), snippet: { isDraft: true } },
            media: text(SRT.replace('Hello', 'Bye')),
          },
          o,
        ),
      ),
    gives: { snippet: { isDraft: true } },
  },
  {
    name: 'captions.download',
    call: async ({ api, at }, id) => {
      const file = await at((o) =>
        api.captions.download({ id: id('caption'), tfmt: 'vtt' }, { ...o, responseType: 'text' }),
      );
      return { file: String(file) };
    },
    gives: { file: expect.stringContaining('00:00:01.000 --> 00:00:02.000\nBye') },
  },
  {
    name: 'captions.delete',
    call: ({ api, at }, id) => at((o) => api.captions.delete({ id: id('caption') }, o)),
  },
  {
    name: 'channelBanners.insert',
    call: ({ api, at }) => at((o) => api.channelBanners.insert({ media: picture() }, o)),
    gives: { kind: 'youtube#channelBannerResource' },
    saves: { banner: 'url' },
  },
  {
    name: 'watermarks.set',
    call: ({ api, at }, id) =>
      at((o) =>
        api.watermarks.set(
          {
            channelId: id('sender'),
            requestBody: { position: { type: 'corner', cornerPosition: 'topRight' } },
            media: picture(),
          },
          o,
        ),
      ),
  },
  {
    name: 'playlists.insert, for a picture',
    call: ({ api, at }) =>
      at((o) => api.playlists.insert({ part, requestBody: { snippet: { title: 'Pictured' } } }, o)),
    saves: { pictured: 'id' },
  },
  {
    name: 'playlistImages.insert',
    call: ({ api, at }, id) =>
      at((o) =>
        api.playlistImages.insert(
          {
            part,
            requestBody: { snippet: { playlistId: id('pictured'), type: 'hero' } },
            media: picture(),
          },
          o,
        ),
      ),
    gives: { kind: 'youtube#playlistImage' },
    saves: { image: 'id' },
  },
  {
    name: 'playlistImages.update',
    call: ({ api, at }, id) =>
      at((o) =>
        api.playlistImages.update(
          {
            part,
            requestBody: { id: id('image'), snippet: { playlistId: id('pictured'), type: 'hero' } },
            media: picture(),
          },
          o,
        ),
      ),
    gives: { snippet: { width: 300 } },
  },
  {
    name: 'playlistImages.list',
    call: ({ api, at }, id) => at((o) => api.playlistImages.list({ part, parent: id('pictured') }, o)),
    gives: { items: [{}] },
  },
  {
    name: 'playlistImages.delete',
    call: ({ api, at }, id) => at((o) => api.playlistImages.delete({ id: id('image') }, o)),
  },
  {
    name: 'playlists.delete, with its picture',
    call: ({ api, at }, id) => at((o) => api.playlists.delete({ id: id('pictured') }, o)),
  },
  {
    name: 'videos.delete, what was sent',
    call: ({ api, at }, id) => at((o) => api.videos.delete({ id: id('sent') }, o)),
  },
];
