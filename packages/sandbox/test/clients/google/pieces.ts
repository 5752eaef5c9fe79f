import type { youtube_v3 } from '@googleapis/youtube';
import type { GoogleOperation } from './operation.js';

/** Chunk size in bytes: the minimum that the API accepts for all chunks except the last. */
const PIECE = 256 * 1024;
const part = ['snippet'];

const send = (frames: string, title: string): GoogleOperation<youtube_v3.Youtube>['call'] => {
  const requestBody = { snippet: { title, categoryId: '28' } };
  const media = { mimeType: 'video/mp4', body: frames, pieceBytes: PIECE };
  return ({ api, at }) => at((o) => api.videos.insert({ part, requestBody, media }, o));
};

/** Resumable uploads. Each chunk is sent to the URL that the first response returned. */
export const pieces: readonly GoogleOperation<youtube_v3.Youtube>[] = [
  {
    name: 'videos.insert, in two pieces',
    call: send('frames'.repeat(2 * (PIECE / 8)), 'Sent in two'),
    gives: { snippet: { title: 'Sent in two' }, arrived: [PIECE] },
    saves: { pieced: 'id' },
  },
  {
    name: 'videos.insert, in pieces that end together with the file',
    call: send('frames..'.repeat(3 * (PIECE / 8)), 'Sent in three'),
    gives: { snippet: { title: 'Sent in three' }, arrived: [PIECE, 2 * PIECE] },
    saves: { whole: 'id' },
  },
  {
    name: 'videos.insert, at once where there is one piece',
    call: send('frames', 'Sent in one'),
    gives: { snippet: { title: 'Sent in one' }, arrived: [] },
    saves: { single: 'id' },
  },
  {
    name: 'videos.list, what came in pieces',
    call: ({ api, at }, id) =>
      at((o) => api.videos.list({ part, id: [id('pieced'), id('whole'), id('single')] }, o)),
    gives: {
      items: ['two', 'three', 'one'].map((count) => ({ snippet: { title: `Sent in ${count}` } })),
    },
  },
  ...(['pieced', 'whole', 'single'].map((name) => ({
    name: `videos.delete, what was ${name}`,
    call: ({ api, at }, id) => at((o) => api.videos.delete({ id: id(name) }, o)),
  })) satisfies readonly GoogleOperation<youtube_v3.Youtube>[]),
];
