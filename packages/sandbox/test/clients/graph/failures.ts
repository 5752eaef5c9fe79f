import { BatchRequestContent, BatchResponseContent } from '@microsoft/microsoft-graph-client';
import type { GraphOperation } from './client.js';

// Builds a step of a batch. The path contains no API version, because the client removes only the host and the batch
// sets the version.
const step = (id: string, url: string, init: RequestInit = {}, dependsOn: string[] = []) => ({
  id,
  request: new Request(`https://graph.microsoft.com${url}`, init),
  dependsOn,
});

export const failures: readonly GraphOperation[] = [
  {
    name: '$batch of reads',
    call: async (graph) => {
      const batch = new BatchRequestContent([step('1', '/me'), step('2', '/sites/root')]);
      const response = new BatchResponseContent(await graph.api('/$batch').post(await batch.getContent()));
      return [...response.getResponses()].map(([id, { status }]) => ({ id, status }));
    },
    gives: [
      { id: '1', status: 200 },
      { id: '2', status: 200 },
    ],
  },
  {
    name: '$batch of writes that depend on each other',
    call: async (graph) => {
      const batch = new BatchRequestContent([
        step('1', '/sites/root/drive/root/children', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"name":"Batched","folder":{}}',
        }),
        step('2', '/sites/root/drive/root:/Batched', {}, ['1']),
      ]);
      const response = new BatchResponseContent(await graph.api('/$batch').post(await batch.getContent()));
      return [...response.getResponses()].map(([id, { status }]) => ({ id, status }));
    },
    gives: [
      { id: '1', status: 201 },
      { id: '2', status: 200 },
    ],
  },
  {
    name: '$batch with one that fails',
    call: async (graph) => {
      const response = new BatchResponseContent(
        await graph.api('/$batch').post({
          requests: [
            { id: 'a', method: 'GET', url: '/sites/none' },
            { id: 'b', method: 'GET', url: '/me', dependsOn: ['a'] },
          ],
        }),
      );
      return [...response.getResponses()].map(([id, { status }]) => ({ id, status }));
    },
    gives: [
      { id: 'a', status: 404 },
      { id: 'b', status: 424 },
    ],
  },
  {
    name: '$batch of too many',
    call: (graph) =>
      graph.api('/$batch').post({
        requests: Array.from({ length: 21 }, (_, index) => ({
          id: String(index),
          method: 'GET',
          url: '/me',
        })),
      }),
    throws: { statusCode: 400 },
  },
  {
    name: 'retries a throttled read',
    call: async (graph, _, setDials) => {
      await setDials({ failNext: { count: 1, status: 429, headers: { 'retry-after': '0' } } });
      return graph.api('/me').get();
    },
    gives: { displayName: 'Ada Lovelace' },
  },
  {
    name: 'retries a read of a service that is down',
    call: async (graph, _, setDials) => {
      await setDials({ failNext: { count: 2, status: 503, headers: { 'retry-after': '0' } } });
      return graph.api('/me').get();
    },
    gives: { displayName: 'Ada Lovelace' },
  },
  {
    name: 'gives up a limit that stays',
    call: async (graph, _, setDials) => {
      await setDials({ failNext: { count: 3, status: 429, headers: { 'retry-after': '0' } } });
      return graph.api('/me').get();
    },
    throws: { statusCode: 429, code: 'activityLimitReached' },
  },
  {
    name: 'knows a lock',
    call: async (graph, _, setDials) => {
      await setDials({ failNext: { count: 1, status: 423 } });
      return graph.api('/sites/root/drive/root/children').post({ name: 'x', folder: {} });
    },
    throws: { statusCode: 423 },
  },
  {
    name: 'knows a full store',
    call: async (graph, _, setDials) => {
      await setDials({ failNext: { count: 1, status: 507 } });
      return graph.api('/sites/root/drive/root:/x.txt:/content').put('x');
    },
    throws: { statusCode: 507, code: 'quotaLimitReached' },
  },
  {
    name: 'a path with a segment that is not there',
    call: (graph) => graph.api('/sites/root/nothing').get(),
    throws: { statusCode: 400 },
  },
  {
    name: 'a method that is not taken',
    call: (graph) => graph.api('/sites/root').delete(),
    throws: { statusCode: 405 },
  },
];
