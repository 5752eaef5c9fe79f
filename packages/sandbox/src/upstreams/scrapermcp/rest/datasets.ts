import { formatFault, type Item, writeItems } from '../../../apify/dataset-items.js';
import { isObject } from '../../../json.js';
import {
  type Endpoint,
  invalid,
  listPage,
  notFound,
  type RestCall,
  readCount,
  readFlag,
} from './endpoint.js';
import { type Dataset, findStorage } from './storages.js';

export function sendItems(call: RestCall, all: readonly Item[]) {
  const { query, reply } = call;
  const fault = formatFault(query);
  if (fault !== undefined) throw invalid(fault);
  return writeItems(reply, all, {
    query,
    count: (name, fallback) => readCount(call, name, fallback),
    flag: (name) => readFlag(call, name),
  });
}

function ownDataset({ storages, part }: RestCall): Dataset {
  const found = findStorage(storages.datasets, part('dataset'));
  if (found === undefined) throw notFound('Dataset');
  return found;
}

function itemsOf(call: RestCall): readonly Item[] {
  return call.account.items(call.part('dataset')) ?? ownDataset(call).items;
}

function present(call: RestCall) {
  const id = call.part('dataset');
  const ofRun = call.account.items(id);
  const { name, createdAt, items } = ofRun
    ? { name: undefined, createdAt: 0, items: ofRun }
    : ownDataset(call);
  return presentDataset({ id: ofRun ? id : ownDataset(call).id, name, createdAt, items: [...items] });
}

const presentDataset = ({ id, name, createdAt, items }: Dataset) => ({
  id,
  ...(name === undefined ? {} : { name }),
  userId: 'user-ada',
  createdAt: new Date(createdAt).toISOString(),
  modifiedAt: new Date(createdAt).toISOString(),
  accessedAt: new Date(createdAt).toISOString(),
  itemCount: items.length,
  cleanItemCount: items.length,
  stats: { readCount: 0, writeCount: items.length, deleteCount: 0 },
  fields: [...new Set(items.flatMap((item) => Object.keys(item)))],
  itemsPublicUrl: `https://api.apify.com/v2/datasets/${id}/items`,
});

function pushItems(call: RestCall) {
  const pushed = [call.json()].flat();
  if (!pushed.every(isObject)) throw invalid('Items have to be objects.');
  ownDataset(call).items.push(...pushed);
  call.reply.code(201);
  return {};
}

export const datasetEndpoints: readonly Endpoint[] = [
  [
    'GET',
    '/datasets',
    (call) =>
      listPage(
        call,
        [...call.storages.datasets.values()].filter(
          ({ name }) => name !== undefined || readFlag(call, 'unnamed'),
        ),
        presentDataset,
      ),
  ],
  [
    'POST',
    '/datasets',
    (call) => ({ data: presentDataset(call.storages.dataset(call.query.get('name') ?? undefined)) }),
  ],
  ['GET', '/datasets/:dataset', (call) => ({ data: present(call) })],
  [
    'DELETE',
    '/datasets/:dataset',
    (call) => {
      call.storages.datasets.delete(ownDataset(call).id);
      call.reply.code(204);
    },
  ],
  ['GET', '/datasets/:dataset/items', (call) => sendItems(call, itemsOf(call))],
  ['POST', '/datasets/:dataset/items', pushItems],
];
