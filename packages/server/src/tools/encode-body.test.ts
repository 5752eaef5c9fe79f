import { expect, test } from 'vitest';
import { encodeBody } from './encode-body.js';

const BASE64 = Buffer.from([0, 255, 10]).toString('base64');

test.each([
  { title: 'a media type', type: 'image/png', contentType: 'image/png' },
  { title: 'no media type', type: undefined, contentType: 'application/octet-stream' },
  {
    title: 'a media type with a header injection',
    type: 'a/b\r\nx: y',
    contentType: 'application/octet-stream',
  },
])('a file body is sent with $title', ({ type, contentType }) => {
  const encoded = encodeBody({ body: { $file: BASE64, type }, encoding: 'file' });
  expect(encoded).toEqual({ contentType, bytes: Buffer.from([0, 255, 10]) });
});

test('a body that is not a file is refused', () => {
  expect(() => encodeBody({ body: { type: 'text/plain' }, encoding: 'file' })).toThrow(
    expect.objectContaining({
      code: 'internal_error',
      cause: expect.objectContaining({ message: expect.stringContaining('defines no content of the file') }),
    }),
  );
});
