import { type Endpoint, invalid, listPage, orNotFound, type RestCall, readCount } from './endpoint.js';
import { findStorage, type KeyValueStore, presentStorage } from './storages.js';

const MOST_KEYS = 1000;

const storeOf = ({ storages, part }: RestCall): KeyValueStore =>
  orNotFound(findStorage(storages.stores, part('store')), 'Key-value Store');

const present = (store: KeyValueStore) => ({
  ...presentStorage(store),
  keysPublicUrl: `https://api.apify.com/v2/key-value-stores/${store.id}/keys`,
});

function listKeys(call: RestCall) {
  const limit = readCount(call, 'limit', MOST_KEYS);
  const after = call.query.get('exclusiveStartKey') ?? '';
  const prefix = call.query.get('prefix') ?? '';
  const keys = [...storeOf(call).records].filter(([key]) => key > after && key.startsWith(prefix));
  keys.sort(([a], [b]) => (a < b ? -1 : 1));
  const page = keys.slice(0, limit);
  const isTruncated = keys.length > page.length;
  return {
    data: {
      count: page.length,
      limit,
      ...(after === '' ? {} : { exclusiveStartKey: after }),
      isTruncated,
      nextExclusiveStartKey: isTruncated ? page.at(-1)?.[0] : null,
      items: page.map(([key, { bytes }]) => ({ key, size: bytes.length })),
    },
  };
}

function getRecord(call: RestCall) {
  const record = orNotFound(storeOf(call).records.get(call.part('key')), 'Record');
  call.reply.type(record.contentType);
  return record.bytes;
}

function putRecord(call: RestCall): void {
  const key = call.part('key');
  if (!/^[a-zA-Z0-9!\-_.'()]{1,256}$/.test(key)) throw invalid('The key is not valid.');
  storeOf(call).records.set(key, { contentType: call.contentType, bytes: call.bytes });
  call.reply.code(201);
}

function deleteRecord(call: RestCall): void {
  storeOf(call).records.delete(call.part('key'));
  call.reply.code(204);
}

function deleteStore(call: RestCall): void {
  call.storages.stores.delete(storeOf(call).id);
  call.reply.code(204);
}

export const storeEndpoints: readonly Endpoint[] = [
  ['GET', '/key-value-stores', (call) => listPage(call, [...call.storages.stores.values()], present)],
  [
    'POST',
    '/key-value-stores',
    ({ storages, query }) => ({ data: present(storages.store(query.get('name'))) }),
  ],
  ['GET', '/key-value-stores/:store', (call) => ({ data: present(storeOf(call)) })],
  ['DELETE', '/key-value-stores/:store', deleteStore],
  ['GET', '/key-value-stores/:store/keys', listKeys],
  ['GET', '/key-value-stores/:store/records/:key', getRecord],
  ['PUT', '/key-value-stores/:store/records/:key', putRecord],
  ['DELETE', '/key-value-stores/:store/records/:key', deleteRecord],
];
