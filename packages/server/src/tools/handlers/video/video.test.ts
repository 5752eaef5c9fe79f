import { expect, test, vi } from 'vitest';
import type { HandlerContext } from '../../handler.js';
import { noMcp } from '../../upstream-access.js';
import { video } from './video.js';

const context: HandlerContext = {
  now: () => new Date('2026-11-20T12:00:00Z'),
  randomId: () => 'id-1',
  sleep: async () => undefined,
  mcp: noMcp,
  download: () => expect.unreachable('The tool downloads nothing.'),
  exchange: () => expect.unreachable('The tool reads no headers.'),
  readLink: () => expect.unreachable('The tool opens no link.'),
  takeMemory: () => undefined,
};

test('channels of a content owner are refused with an alternative', async () => {
  const send = vi.fn();
  const input = { part: 'snippet', managed_by_me: true, max_results: 5 } as const;
  await expect(video.video_channels_list(input, send, context)).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(/"managed_by_me" needs a content owner.*through the proxy/),
    details: { errors: [{ field: 'managed_by_me', rule: 'unsupported' }] },
  });
  expect(send).not.toHaveBeenCalled();
});
