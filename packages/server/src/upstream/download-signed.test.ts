import type { Connector } from '@svc/catalog';
import { expect, test } from 'vitest';
import { createResponseBody } from '../http/response-body.js';
import type { HttpRequest } from '../http/send-http.js';
import { createDownloadSigned } from './download-signed.js';
import { newTrace } from './trace.js';

const connector = {
  id: 'files',
  links: { fields: ['next'], fileDomains: ['files.example'] },
} as unknown as Connector;

/** Downloads `link` from a fake host that returns `content`. The maximum size of the file is five bytes. */
async function download(
  link: string,
  { status = 200, baseUrl = 'https://api.example/v1', content = 'abc' } = {},
) {
  const sent: HttpRequest[] = [];
  const taken: number[] = [];
  const slots: string[] = [];
  const acquire = () => {
    slots.push('taken');
    return () => void slots.push('released');
  };
  const send = async (request: HttpRequest) => {
    sent.push(request);
    const { body, push, end } = createResponseBody({ pause: () => {}, resume: () => {}, abort: () => {} });
    push(Buffer.from(content));
    end();
    return { status, headers: {}, body };
  };
  const trace = newTrace();
  const downloadSigned = createDownloadSigned(send, { acquire });
  const account = { applicationId: 'app_1', baseUrl } as never;
  const take = (bytes: number) => void taken.push(bytes);
  const options = { account, connector, signal: undefined, trace, take, mostBytes: 5 };
  const result = await downloadSigned(link, options).catch((error: unknown) => error);
  return { sent, taken, result, trace, slots };
}

test.each([
  {
    title: 'an allowed host',
    link: 'https://a.files.example/x?s=%2f+b#c',
    origin: 'https://a.files.example',
  },
  {
    title: 'the origin of the base URL',
    link: 'http://127.0.0.1:9/x?s=%2f+b',
    origin: 'http://127.0.0.1:9',
    baseUrl: 'http://127.0.0.1:9/f',
  },
  {
    title: 'localhost under another name',
    link: 'http://localhost:9/x?s=%2f+b',
    origin: 'http://127.0.0.1:9',
    baseUrl: 'http://127.0.0.1:9/f',
  },
])(
  'a signed download from $title keeps the spelling of the link and sends no credential',
  async ({ link, origin, baseUrl }) => {
    const { sent, taken, result, slots, trace } = await download(link, { ...(baseUrl && { baseUrl }) });
    expect([slots, trace.attempts, trace.requests]).toMatchObject([
      ['taken', 'released'],
      1,
      [{ outcome: 200 }],
    ]);
    expect(result).toEqual(Buffer.from('abc'));
    expect(sent).toMatchObject([{ origin, path: '/x?s=%2f+b', headers: ['accept', '*/*'] }]);
    expect(taken).toEqual([3]);
  },
);

test.each([
  'https://files.example/x',
  'https://a.files.example.evil.example/x',
  'https://afiles.example/x',
  'http://a.files.example/x',
  'https://a.files.example:8443/x',
  'https://user:secret@a.files.example/x',
  'https://user:secret@api.example/x',
  'http://localhost/x',
  'http://169.254.169.254/x',
  'file:///etc/passwd',
  'x',
])('a signed download sends nothing to %s', async (link) => {
  const { sent, result } = await download(link);
  expect(result).toMatchObject({
    code: 'upstream_failed',
    message: expect.stringContaining('nothing was sent'),
  });
  expect(sent).toEqual([]);
});

test.each([
  { title: 'a redirect', options: { status: 302 }, says: 'with 302' },
  { title: 'an expired link', options: { status: 401 }, says: 'with 401' },
  { title: 'a file above the limit', options: { content: 'abcdef' }, says: 'maximum of 5 bytes' },
])('a signed download refuses $title without the link in the error', async ({ options, says }) => {
  const { result, slots } = await download('https://a.files.example/x?secret', options);
  expect(slots).toEqual(['taken', 'released']);
  expect(result).toMatchObject({ code: 'upstream_failed', message: expect.stringContaining(says) });
  expect(JSON.stringify(result) + String(result)).not.toContain('secret');
});
