import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createBodyMemory } from '../concurrency/body-memory.js';
import { ServiceError } from '../errors.js';
import type { SendHttp } from '../http/send-http.js';
import { createReadLink } from './read-link.js';

const LINK = {
  field: 'content_url',
  url: 'https://films.example/a.mp4',
  mediaTypes: ['video/*'],
  timeoutMs: 60_000,
};
const slow = () => new ServiceError('upstream_timeout', 'The upstream took too long to respond.');

/** Returns a response whose body is complete, or fails with `error` after its first bytes. */
const respondWith = (error?: ServiceError) =>
  (async () => ({
    status: 200,
    headers: { 'content-type': 'video/mp4', 'transfer-encoding': 'chunked' },
    body: {
      stream: () =>
        Readable.from(
          (function* () {
            yield Buffer.from('film');
            if (error) throw error;
          })(),
        ),
      destroy: () => undefined,
    },
  })) as unknown as SendHttp;

async function read(send: SendHttp, { link = {}, memory = 1024 } = {}) {
  const { take } = createBodyMemory(memory).open('app_1');
  const { readLink } = createReadLink({ send, isAllowedOrigin: () => false, mostBytes: 100 });
  const reader = { applicationId: 'app_1', signal: undefined, take };
  let text = '';
  const reading = readLink(
    { ...LINK, ...link },
    async ({ chunks }) => {
      for await (const { bytes } of chunks(100)) text += bytes;
      return text;
    },
    reader,
  );
  return reading.catch((error: unknown) => error);
}

test('a complete file is read in chunks', async () => {
  expect(await read(respondWith())).toBe('film');
});

test.each([
  {
    title: 'no response in time',
    send: () => Promise.reject(slow()),
    message: '"content_url" has a host that took too long to respond. Retry later, or pass another link.',
  },
  {
    title: 'a pause in the file',
    send: respondWith(slow()),
    message:
      '"content_url" has a host that stopped after 4 bytes of the file. Retry later, or pass another link.',
  },
  {
    title: 'a file that needs more than the time limit',
    send: respondWith(slow()),
    link: { timeoutMs: 0 },
    message:
      '"content_url" leads to a file that needs more than 0 min to transfer. Pass a link to a smaller file or a faster host.',
  },
  {
    title: 'a file over the limit of the tool',
    send: respondWith(),
    link: { mostBytes: 3 },
    message: '"content_url" leads to a file of more than 3 bytes. Pass a link to a smaller file.',
  },
])('$title is an error of the input', async ({ send, link = {}, message }) => {
  expect(await read(send, { link })).toMatchObject({ code: 'invalid_input', message });
});

test('too little memory is an error that says that nothing was sent', async () => {
  expect(await read(respondWith(), { memory: 100 })).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('so nothing was sent'),
    details: { retryAfter: 1 },
  });
});
