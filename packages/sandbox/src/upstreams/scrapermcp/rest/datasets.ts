import { formatFault, type Item, writeItems } from '../../../apify/dataset-items.js';
import { isObject } from '../../../json.js';
import {
  type Endpoint,
  invalid,
  listPage,
  orNotFound,
  type RestCall,
  readCount,
  readFlag,
} from './endpoint.js';
import { type Dataset, findStorage, presentStorage } from './storages.js';

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

const ownDataset = ({ storages, part }: RestCall): Dataset =>
  orNotFound(findStorage(storages.datasets, part('dataset')), 'Dataset');

function itemsOf(call: RestCall): readonly Item[] {
  return call.account.items(call.part('dataset')) ?? ownDataset(call).items;
}

function present(call: RestCall) {
  const id = call.part('dataset');
  const items = call.account.items(id);
  if (items === undefined) return presentDataset(ownDataset(call));
  return presentDataset({ id, name: undefined, createdAt: 0, items: [...items] });
}

const presentDataset = ({ items, ...dataset }: Dataset) => ({
  ...presentStorage(dataset),
  itemCount: items.length,
  cleanItemCount: items.length,
  stats: { readCount: 0, writeCount: items.length, deleteCount: 0 },
  fields: [...new Set(items.flatMap((item) => Object.keys(item)))],
  itemsPublicUrl: `https://api.apify.com/v2/datasets/${dataset.id}/items`,
});

function pushItems(call: RestCall) {
  const pushed = [call.json()].flat();
  if (!pushed.every(isObject)) throw invalid('Items have to be objects.');
  ownDataset(call).items.push(...pushed);
  call.reply.code(201);
  return {};
}

function listDatasets(call: RestCall) {
  const isListed = ({ name }: Dataset) => name !== undefined || readFlag(call, 'unnamed');
  return listPage(call, [...call.storages.datasets.values()].filter(isListed), presentDataset);
}

function deleteDataset(call: RestCall): void {
  call.storages.datasets.delete(ownDataset(call).id);
  call.reply.code(204);
}

export const datasetEndpoints: readonly Endpoint[] = [
  ['GET', '/datasets', listDatasets],
  [
    'POST',
    '/datasets',
    ({ storages, query }) => ({ data: presentDataset(storages.dataset(query.get('name'))) }),
  ],
  ['GET', '/datasets/:dataset', (call) => ({ data: present(call) })],
  ['DELETE', '/datasets/:dataset', deleteDataset],
  ['GET', '/datasets/:dataset/items', (call) => sendItems(call, itemsOf(call))],
  ['POST', '/datasets/:dataset/items', pushItems],
];
