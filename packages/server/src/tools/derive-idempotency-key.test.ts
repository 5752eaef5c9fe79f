import { expect, test } from 'vitest';
import { createDigest } from '../vault/pepper.js';
import { createDeriveIdempotencyKey } from './derive-idempotency-key.js';

const pepper = Buffer.alloc(32, 1);
const derive = createDeriveIdempotencyKey(createDigest(pepper));
const request = {
  applicationId: 'app_1',
  accountId: 'acct_1',
  toolName: 'shop_pay',
  callKey: 'key-1',
  index: 0,
};

test('an upstream idempotency key is a stable UUID that does not contain the key of the application', () => {
  const key = derive(request);
  expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(derive({ ...request })).toBe(key);
});

test.each([
  { applicationId: 'app_2' },
  { accountId: 'acct_2' },
  { toolName: 'shop_refund' },
  { callKey: 'key-2' },
  { index: 1 },
  { accountId: 'acct_1","shop_pay', toolName: '' },
])('an upstream idempotency key is different for a request with %j', (change) => {
  expect(derive({ ...request, ...change })).not.toBe(derive(request));
});

test('an upstream idempotency key needs the secret of the service', () => {
  const other = createDeriveIdempotencyKey(createDigest(Buffer.alloc(32, 2)));
  expect(other(request)).not.toBe(derive(request));
});
