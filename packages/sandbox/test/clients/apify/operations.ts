import type { ApifyClient } from 'apify-client';
import { expect } from 'vitest';
import type { Operation } from '../support/battery.js';

type ApifyOperation = Operation<ApifyClient>;

const CRAWLER = 'apify/website-content-crawler';
const BROWSER = 'apify/rag-web-browser';
const input = { query: 'batteries', maxResults: 4 };

export const actors: readonly ApifyOperation[] = [
  { name: 'user.get', call: (apify) => apify.user().get(), gives: { username: 'ada' } },
  { name: 'user.get, somebody', call: (apify) => apify.user('apify').get(), gives: { username: 'ada' } },
  {
    name: 'store.list',
    call: (apify) => apify.store().list({ search: 'browser', limit: 5 }),
    gives: { offset: 0 },
  },
  {
    name: 'actor.get',
    call: (apify) => apify.actor(BROWSER).get(),
    gives: { name: 'rag-web-browser', isPublic: true },
  },
  {
    name: 'actor.get, none such',
    call: async (apify) => ({ result: await apify.actor('apify/nothing').get() }),
    gives: { result: undefined },
  },
  {
    name: 'actor.start',
    call: (apify) => apify.actor(BROWSER).start(input, { memory: 1024 }),
    gives: { status: 'RUNNING' },
    saves: { run: 'id', dataset: 'defaultDatasetId' },
  },
  {
    name: 'actor.start, an impossible memory',
    call: (apify) => apify.actor(BROWSER).start(input, { memory: 1000 }),
    throws: { statusCode: 400, type: 'invalid-value' },
  },
  {
    name: 'actor.start, without what it needs',
    call: (apify) => apify.actor(BROWSER).start({}),
    throws: { statusCode: 400, type: 'invalid-input' },
  },
  {
    name: 'actor.start, one that cannot be',
    call: (apify) => apify.actor('examples/standby-screenshot-api').start({}),
    throws: { statusCode: 403 },
  },
  { name: 'run.get', call: (apify, id) => apify.run(id('run')).get(), gives: { id: expect.any(String) } },
  {
    name: 'run.waitForFinish',
    call: (apify, id) => apify.run(id('run')).waitForFinish({ waitSecs: 10 }),
    gives: { status: 'SUCCEEDED' },
  },
  {
    name: 'run.get, none such',
    call: async (apify) => ({ result: await apify.run('nothing').get() }),
    gives: { result: undefined },
  },
  {
    name: 'run.dataset.listItems',
    call: (apify, id) => apify.run(id('run')).dataset().listItems(),
    gives: { total: 4, count: 4 },
  },
  {
    name: 'run.log.get',
    call: (apify, id) => apify.run(id('run')).log().get(),
    gives: expect.stringContaining('ACTOR'),
  },
  {
    name: 'log.get',
    call: (apify, id) => apify.log(id('run')).get(),
    gives: expect.stringContaining('ACTOR'),
  },
  {
    name: 'dataset.listItems, some fields of a page',
    call: (apify, id) =>
      apify.dataset(id('dataset')).listItems({ limit: 2, offset: 1, fields: ['query'], desc: true }),
    gives: { items: [{ query: 'batteries' }, { query: 'batteries' }], desc: true },
  },
  {
    name: 'dataset.downloadItems',
    call: async (apify, id) =>
      JSON.parse(String(await apify.dataset(id('dataset')).downloadItems('json' as never))).length,
    gives: 4,
  },
  {
    name: 'actor.call',
    call: (apify) =>
      apify
        .actor(CRAWLER)
        .call({ startUrls: [{ url: 'https://example.com' }], maxCrawlPages: 2 }, { log: null, waitSecs: 20 }),
    gives: { status: 'SUCCEEDED' },
  },
  {
    name: 'actor.call, one that fails',
    call: (apify) => apify.actor('examples/blocked-website-scraper').call({}, { log: null, waitSecs: 20 }),
    gives: { status: 'FAILED' },
  },
  {
    name: 'actor.start, to be ended',
    call: (apify) =>
      apify.actor(CRAWLER).start({ startUrls: [{ url: 'https://example.com' }], maxCrawlPages: 900 }),
    saves: { long: 'id' },
  },
  { name: 'run.abort', call: (apify, id) => apify.run(id('long')).abort(), gives: { status: 'ABORTED' } },
  {
    name: 'actor.runs.list',
    call: (apify) => apify.actor(CRAWLER).runs().list({ desc: true, limit: 1 }),
    gives: { total: 2, count: 1 },
  },
  {
    name: 'actor.lastRun',
    call: (apify) => apify.actor(BROWSER).lastRun({ status: 'SUCCEEDED' }).get(),
    gives: { status: 'SUCCEEDED' },
  },
  { name: 'runs.list', call: (apify) => apify.runs().list({ limit: 2, offset: 1 }), gives: { count: 2 } },
  { name: 'actors.list', call: (apify) => apify.actors().list(), gives: { count: 3 } },
];

export const storages: readonly ApifyOperation[] = [
  {
    name: 'datasets.getOrCreate',
    call: (apify) => apify.datasets().getOrCreate('battery'),
    gives: { name: 'battery' },
    saves: { own: 'id' },
  },
  {
    name: 'dataset.pushItems',
    call: (apify, id) => apify.dataset(id('own')).pushItems([{ a: 1 }, { a: 2 }]),
  },
  {
    name: 'dataset.pushItems, many',
    call: (apify, id) =>
      apify
        .dataset(id('own'))
        .pushItems(Array.from({ length: 500 }, (_, index) => ({ index, text: 'Compressed on its way.' }))),
  },
  { name: 'dataset.get', call: (apify, id) => apify.dataset(id('own')).get(), gives: { itemCount: 502 } },
  {
    name: 'dataset.listItems',
    call: (apify, id) => apify.dataset(id('own')).listItems({ limit: 1 }),
    gives: { items: [{ a: 1 }] },
  },
  { name: 'datasets.list', call: (apify) => apify.datasets().list(), gives: { total: 1 } },
  { name: 'dataset.delete', call: (apify, id) => apify.dataset(id('own')).delete() },
  {
    name: 'dataset.get, deleted',
    call: async (apify, id) => ({ result: await apify.dataset(id('own')).get() }),
    gives: { result: undefined },
  },
  {
    name: 'keyValueStores.getOrCreate',
    call: (apify) => apify.keyValueStores().getOrCreate('battery'),
    saves: { store: 'id' },
  },
  {
    name: 'keyValueStore.setRecord',
    call: (apify, id) => apify.keyValueStore(id('store')).setRecord({ key: 'plan', value: { a: 1 } }),
  },
  {
    name: 'keyValueStore.setRecord, a text',
    call: (apify, id) =>
      apify.keyValueStore(id('store')).setRecord({ key: 'note', value: 'Words', contentType: 'text/plain' }),
  },
  {
    name: 'keyValueStore.setRecord, bytes',
    call: (apify, id) =>
      apify.keyValueStore(id('store')).setRecord({
        key: 'bytes', // The client takes bytes, its type does not.
        value: Buffer.alloc(3000, 7) as never,
        contentType: 'application/octet-stream',
      }),
  },
  {
    name: 'keyValueStore.getRecord',
    call: (apify, id) => apify.keyValueStore(id('store')).getRecord('plan'),
    gives: { value: { a: 1 } },
  },
  {
    name: 'keyValueStore.getRecord, bytes',
    call: async (apify, id) => ({
      bytes: (await apify.keyValueStore(id('store')).getRecord('bytes', { buffer: true }))?.value.length,
    }),
    gives: { bytes: 3000 },
  },
  {
    name: 'keyValueStore.getRecord, none such',
    call: async (apify, id) => ({ result: await apify.keyValueStore(id('store')).getRecord('none') }),
    gives: { result: undefined },
  },
  {
    name: 'keyValueStore.listKeys',
    call: (apify, id) => apify.keyValueStore(id('store')).listKeys({ limit: 2 }),
    gives: { isTruncated: true },
  },
  {
    name: 'keyValueStore.deleteRecord',
    call: (apify, id) => apify.keyValueStore(id('store')).deleteRecord('note'),
  },
  { name: 'keyValueStores.list', call: (apify) => apify.keyValueStores().list(), gives: { total: 1 } },
  { name: 'keyValueStore.delete', call: (apify, id) => apify.keyValueStore(id('store')).delete() },
  {
    name: 'schedules.list, not emulated',
    call: (apify) => apify.schedules().list(),
    throws: { statusCode: 501 },
  },
  {
    name: 'retries a limit',
    call: async (apify, _, setDials) => {
      await setDials({ failNext: { count: 2, status: 429, match: { path: '/v2' } } });
      return apify.user().get();
    },
    gives: { username: 'ada' },
  },
  {
    name: 'retries a failure',
    call: async (apify, _, setDials) => {
      await setDials({ failNext: { count: 1, status: 500, match: { path: '/v2' } } });
      return apify.user().get();
    },
    gives: { username: 'ada' },
  },
  {
    name: 'gives up what is refused',
    call: async (apify, _, setDials) => {
      await setDials({ failNext: { count: 1, status: 403, match: { path: '/v2' } } });
      return apify.user().get();
    },
    throws: { statusCode: 403 },
  },
];
