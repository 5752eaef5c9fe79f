import { expect, test } from 'vitest';
import { encodeBody } from './encode-body.js';

const BASE64 = Buffer.from([0, 255, 10]).toString('base64');

test.each([
  { title: 'its type', type: 'image/png', contentType: 'image/png' },
  { title: 'no type', type: undefined, contentType: 'application/octet-stream' },
  { title: 'a type that would end the header', type: 'a/b\r\nx: y', contentType: 'application/octet-stream' },
])('sends the bytes of one file with $title', ({ type, contentType }) => {
  const encoded = encodeBody({ body: { $file: BASE64, type }, encoding: 'file' });
  expect(encoded).toEqual({ contentType, bytes: Buffer.from([0, 255, 10]) });
});

test('refuses a body that is no file', () => {
  expect(() => encodeBody({ body: { type: 'text/plain' }, encoding: 'file' })).toThrow('not a file');
});
