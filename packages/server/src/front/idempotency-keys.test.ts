import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { openApiRequest } from './api-request.js';
import { createIdempotencyKeys } from './idempotency-keys.js';

test('A13: a run ends once even when sending its response fails and an error response follows', async () => {
  const ended: string[] = [];
  const run = {
    store: async ({ body }: { readonly body: string }) => void ended.push(body),
    release: async () => void ended.push('released'),
  };
  const { begin } = createIdempotencyKeys({
    idempotency: { begin: async () => ({ run }) },
    log: { fault: () => {} },
  });
  const request = new IncomingMessage(new Socket());
  request.headers['idempotency-key'] = 'key-1';
  const apiRequest = openApiRequest({
    id: 'req_1',
    request,
    response: new ServerResponse(request),
    headers: {},
  });

  expect(await begin(apiRequest, {})).toBeUndefined();
  await apiRequest.beforeSend?.({ status: 200, body: 'the result' });
  await apiRequest.beforeSend?.({ status: 500, body: '{}', errorCode: 'internal_error' });
  expect(ended).toEqual(['the result']);
});
