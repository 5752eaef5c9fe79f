import { expect, test } from 'vitest';
import { ServiceError } from '../../../errors.js';
import type { LinkedFile, UpstreamRequest } from '../../handler.js';
import { uploadInChunks } from './upload-in-chunks.js';

type Reply = Awaited<ReturnType<Parameters<typeof uploadInChunks>[2]['exchange']>>;

const VIDEO: Reply = { status: 200, body: { id: 'v1' } };
const OPENED: Reply = {
  status: 200,
  body: null,
  headers: { location: 'https://elsewhere.example/upload?upload_id=1' },
};
const LOST = new ServiceError('connection_failed', 'The upstream closed the connection.');
const GONE = new ServiceError('upstream_failed', 'YouTube responded with 404.', { status: 404 });

const stored = (count: number, location?: string): Reply => ({
  status: 308,
  body: null,
  headers: {
    ...(count > 0 && { range: `bytes=0-${count - 1}` }),
    ...(location !== undefined && { location }),
  },
});

/** A file of two chunks: `abcdef` and `gh`. */
const FILE: LinkedFile = {
  mediaType: 'video/mp4',
  size: 8,
  chunks: async function* () {
    yield { bytes: Buffer.from('abcdef'), start: 0, isLast: false };
    yield { bytes: Buffer.from('gh'), start: 6, isLast: true };
  },
};

/** Uploads the file to an upstream with these replies. Returns the result or the error, and the sent parts. */
async function upload(...replies: (Reply | ServiceError)[]) {
  const requests: UpstreamRequest[] = [];
  const exchange = async (request: UpstreamRequest) => {
    requests.push(request);
    const reply = [OPENED, ...replies][requests.length - 1] ?? LOST;
    if (reply instanceof ServiceError) throw reply;
    return reply;
  };
  const metadata = { path: '/upload', query: { part: 'snippet' }, body: {} };
  const result = await uploadInChunks(FILE, metadata, { exchange, sleep: async () => undefined }).catch(
    (error: unknown) => error,
  );
  const sent = requests
    .slice(1)
    .map(({ headers, bytes, query }) => `${query?.['upload_id']} ${headers?.['content-range']} ${bytes}`);
  return { result, sent };
}

test.each([
  {
    title: 'continues after the bytes that the upstream has stored of a part',
    replies: [stored(4), stored(6), VIDEO],
    sent: ['1 bytes 0-5/8 abcdef', '1 bytes 4-5/8 ef', '1 bytes 6-7/8 gh'],
  },
  {
    title: 'sends the rest of a part whose response was lost',
    replies: [LOST, stored(4), stored(6), VIDEO],
    sent: ['1 bytes 0-5/8 abcdef', '1 bytes */8 ', '1 bytes 4-5/8 ef', '1 bytes 6-7/8 gh'],
  },
  {
    title: 'does not repeat the last part when the upstream has stored it',
    replies: [stored(6), LOST, VIDEO],
    sent: ['1 bytes 0-5/8 abcdef', '1 bytes 6-7/8 gh', '1 bytes */8 '],
  },
  {
    title: 'sends a part three times',
    replies: [LOST, stored(0), LOST, stored(0), stored(6), VIDEO],
    sent: [
      '1 bytes 0-5/8 abcdef',
      '1 bytes */8 ',
      '1 bytes 0-5/8 abcdef',
      '1 bytes */8 ',
      '1 bytes 0-5/8 abcdef',
      '1 bytes 6-7/8 gh',
    ],
  },
  {
    title: 'uses a new address of the session',
    replies: [stored(6, 'https://elsewhere.example/?upload_id=2'), VIDEO],
    sent: ['1 bytes 0-5/8 abcdef', '2 bytes 6-7/8 gh'],
  },
])('$title', async ({ replies, sent }) => {
  expect(await upload(...replies)).toEqual({ result: { id: 'v1' }, sent });
});

const NONE = /No video was created\./;
const LOST_SESSION =
  /^The video platform lost the upload session\. No video was created\. Call the tool again\.$/;
const UNKNOWN = /it is unknown whether the video was created/;

test.each([
  { title: 'the session is lost after the first part', replies: [stored(6), GONE], message: LOST_SESSION },
  { title: 'the upstream has lost earlier bytes', replies: [stored(6), stored(2)], message: NONE },
  { title: 'the upstream stores nothing', replies: [stored(0), stored(0), stored(0)], message: NONE },
  { title: 'the connection stays lost after the first part', replies: [LOST, LOST], message: NONE },
  {
    title: 'the connection stays lost after the last part',
    replies: [stored(6), LOST, LOST],
    message: UNKNOWN,
  },
  { title: 'the session is lost after the last part', replies: [stored(6), LOST, GONE], message: UNKNOWN },
  {
    title: 'the response to the last part is no JSON',
    replies: [stored(6), new ServiceError('upstream_failed', 'No JSON.', { status: 200 })],
    message: UNKNOWN,
  },
  {
    title: 'the response to the last part finds no memory',
    replies: [stored(6), new ServiceError('unavailable', 'No memory.', { reason: 'memory' })],
    message: UNKNOWN,
  },
  { title: 'the last part did not arrive', replies: [stored(6), LOST, stored(6), GONE], message: NONE },
])('the error says whether a video was created when $title', async ({ replies, message }) => {
  const { result } = await upload(...replies);
  expect(result).toMatchObject({ message: expect.stringMatching(message) });
});
