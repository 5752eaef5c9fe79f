import { API_KEY } from '../upstreams/parcels.js';
import type { Actions, Flow, World } from './secret-flows.js';

/**
 * Lists requests in which the key of an address for webhooks, or a payload of an upstream, passes through the service.
 */
export const webhookFlows = (
  { hooks, identifier, secrets }: World,
  { call, putKey, raw }: Actions,
): readonly Flow[] => {
  const subscriptions = `/v1/connections/parcels/accounts/${identifier}/webhooks`;
  const pathOf = () => new URL([...hooks.values()].at(-1) ?? '').pathname;
  const send = (path: string, body: string) =>
    raw(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return [
    {
      title: 'an account is subscribed to the webhooks of its upstream',
      ends: 201,
      run: async () => {
        await putKey('parcels', API_KEY);
        const reply = await call('POST', subscriptions, { body: { trigger: 'parcel_sent' } });
        secrets.add('the key of an address for webhooks', pathOf().split('/').at(-1) ?? '');
        return reply;
      },
    },
    {
      title: 'an upstream sends a payload',
      ends: 204,
      run: () => send(pathOf(), JSON.stringify({ text: secrets.canary('a payload') })),
    },
    {
      title: 'an upstream sends a payload that is not JSON',
      ends: 400,
      run: () => send(pathOf(), `{ "text": "${secrets.canary('a payload in broken JSON')}", }`),
    },
    {
      title: 'an address for webhooks is invented',
      ends: 404,
      run: () => send(pathOf().replace(/[^/]+$/, secrets.canary('an invented key')), '{}'),
    },
  ];
};
