import { expect, test } from 'vitest';
import { failure, fakeService, json } from '../test/fake-service.js';

test('returns the raw response of a streamed call and throws its errors', async () => {
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

test('reads escaped keys correctly, whatever keys an earlier response had', async () => {
  const call = { method: 'GET', path: '/v1/tools' };
  for (let round = 0; round < 20; round += 1) {
    const { svc } = fakeService([
      () => new Response(`{"Uniq${round}":1,"\\\\u":1}`),
      () => new Response(`{"Uniq${round}":1,"\\u540d\\u524d":1}`),
    ]);
    await svc.call(call);
    const data = await svc.call(call);
    expect(data).toEqual({ [`Uniq${round}`]: 1, 名前: 1 });
  }
});
