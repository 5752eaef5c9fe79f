import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { closeAll, listen } from '../../test/support/start-proxy.js';
import { openCall } from '../front/call.js';
import { createTool } from './tool.js';

afterEach(closeAll);

test('ends a call whose caller went away before its body was read', async () => {
  const tool = createTool({
    execute: () => expect.unreachable('Its input never came.'),
    tokenUses: {
      checkName: () => undefined,
      checkAccount: () => undefined,
      take: async () => undefined,
      checkCall: () => ({ mustAsk: false, count: async () => undefined }),
    },
    dryRun: () => expect.unreachable('Its input never came.'),
    limitAccount: () => undefined,
    checkBody: () => ({}),
  });
  const ended = Promise.withResolvers<unknown>();
  const server = createServer(async (request, response) => {
    const call = openCall({ id: 'req_1', request, response, headers: {} });
    request.on('error', () => undefined);
    await once(response, 'close');
    tool(call).then(ended.resolve, ended.reject);
  });
  const socket = connect(await listen(server), '127.0.0.1');
  socket.write('POST /v1/tools/mail_send/execute HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{"a":');
  await once(server, 'request');
  socket.destroy();
  await expect(ended.promise).rejects.toMatchObject({ code: 'invalid_request' });
});
