import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hmac } from './hmac.js';

test('hmac returns the same HMAC-SHA-256 as Node.js', () => {
  const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(key, fc.string({ unit: 'binary', maxLength: 200 }), (key, text) => {
      expect(hmac(key, text)).toBe(createHmac('sha256', key).update(text).digest('base64url'));
    }),
  );
});
