import { isObject } from '../../../json.js';
import type { Item } from '../actor.js';
import { trimItems } from '../dataset.js';
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

const MOST_ITEMS = 250_000;

/** Items as they are, with what tells where they stand in the headers. */
export function sendItems(call: RestCall, all: readonly Item[]) {
  const format = call.query.get('format') ?? 'json';
  if (format !== 'json' && format !== 'jsonl') throw invalid(`The sandbox gives no items as ${format}.`);
  const [offset, limit] = [readCount(call, 'offset', 0), readCount(call, 'limit', MOST_ITEMS)];
  const desc = readFlag(call, 'desc');
  const isClean = readFlag(call, 'clean');
  const page = trimItems((desc ? all.toReversed() : all).slice(offset, offset + limit), {
    fields: call.query.get('fields') ?? undefined,
    omit: call.query.get('omit') ?? undefined,
    skipHidden: isClean || readFlag(call, 'skipHidden'),
    skipEmpty: isClean || readFlag(call, 'skipEmpty'),
  });
  call.reply.headers({
    'x-apify-pagination-total': String(all.length),
    'x-apify-pagination-offset': String(offset),
    'x-apify-pagination-limit': String(limit),
    'x-apify-pagination-count': String(page.length),
    'x-apify-pagination-desc': String(desc),
  });
  if (format === 'json') return page;
  call.reply.type('application/jsonl; charset=utf-8');
  return page.map((item) => `${JSON.stringify(item)}\n`).join('');
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
