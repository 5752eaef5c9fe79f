import { expect, test } from 'vitest';
import { ServiceError } from '../../../errors.js';
import type { UpstreamRequest } from '../../handler.js';
import { appendBlocks } from './append.js';

const blocks = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `b${index}` }));

/** Fakes an upstream that returns the appended blocks, and fails at request number `failAt`. */
function upstream({ failAt = Number.POSITIVE_INFINITY } = {}) {
  const requests: UpstreamRequest[] = [];
  const send = async (request: UpstreamRequest) => {
    requests.push(request);
    if (requests.length === failAt) {
      throw new ServiceError('upstream_failed', 'The upstream responded with 503', { status: 503 });
    }
    const { children } = JSON.parse(JSON.stringify(request.body));
    return { object: 'list', results: children, has_more: false };
  };
  return { requests, send };
}

test.each([
  { count: 1, batches: 1 },
  { count: 100, batches: 1 },
  { count: 101, batches: 2 },
  { count: 250, batches: 3 },
])('an append sends $count blocks in order in $batches requests', async ({ count, batches }) => {
  const { requests, send } = upstream();

  const list = await appendBlocks(blocks(count), send, 'p1');

  expect(requests).toHaveLength(batches);
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
    Array(batches).fill('PATCH /v1/blocks/p1/children'),
  );
  expect(list).toEqual({ object: 'list', results: blocks(count), has_more: false });
});

test('an append returns the error of its first request unchanged, because nothing was written', async () => {
  const { send } = upstream({ failAt: 1 });

  await expect(appendBlocks(blocks(150), send, 'p1')).rejects.toMatchObject({
    code: 'upstream_failed',
    message: 'The upstream responded with 503',
    details: { status: 503 },
  });
});

test('an append reports its progress when a later request fails, and sends no more', async () => {
  const { requests, send } = upstream({ failAt: 2 });

  await expect(appendBlocks(blocks(331), send, 'p1')).rejects.toMatchObject({
    code: 'upstream_failed',
    message: expect.stringMatching(/^100 of 331 blocks were appended.*Do not repeat the whole.*503$/),
    details: { status: 503, progress: { appended: 100, total: 331 } },
  });
  expect(requests).toHaveLength(2);
});

test('an append reports its progress when a later response is not a list', async () => {
  const responses: unknown[] = [{ object: 'list', results: [] }, null];

  await expect(appendBlocks(blocks(101), async () => responses.shift(), 'p1')).rejects.toMatchObject({
    code: 'upstream_failed',
    details: { progress: { appended: 100, total: 101 } },
  });
});
