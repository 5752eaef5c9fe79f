import { expect, test } from 'vitest';
import { failure, fakeService, json } from '../test/fake-service.js';

test('gives the answer of any call as it came, where it is asked for, and an error as an error', async () => {
  const { svc } = fakeService([
    () => json({ items: [] }, { headers: { 'svc-request-id': 'req_1' } }),
    () => failure(404, 'tool_not_found'),
  ]);
  const call = { method: 'GET', path: '/v1/tools' };
  const response: Response = await svc.call(call, { stream: true });
  expect([response.status, response.headers.get('svc-request-id')]).toEqual([200, 'req_1']);
  expect(await response.json()).toEqual({ items: [] });
  await expect(svc.call(call, { stream: true })).rejects.toMatchObject({ code: 'tool_not_found' });
});
