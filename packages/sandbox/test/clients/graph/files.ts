import {
  type Client,
  FileUpload,
  LargeFileUploadTask,
  OneDriveLargeFileUploadTask,
  ResponseType,
} from '@microsoft/microsoft-graph-client';
import { expect } from 'vitest';
import { type GraphOperation, overTheWire } from './client.js';

const ROOT = '/sites/root/drive/root';
const UNIT = 320 * 1024;
const textOf = async (body: ReadableStream) => new Response(body).text();

async function uploadLarge(graph: Client, path: string, size: number) {
  const content = Buffer.alloc(size, 'a');
  const session = await graph
    .api(`${ROOT}:/${path}:/createUploadSession`)
    .post({ item: { '@microsoft.graph.conflictBehavior': 'replace' } });
  const task = new LargeFileUploadTask(
    graph,
    new FileUpload(new Uint8Array(content).buffer, path, size),
    { url: session.uploadUrl, expiry: new Date(session.expirationDateTime), isCancelled: false },
    { rangeSize: UNIT },
  );
  const { responseBody } = await task.upload();
  return responseBody;
}

export const files: readonly GraphOperation[] = [
  { name: 'GET the root of a library', call: (graph) => graph.api(ROOT).get(), gives: { folder: {} } },
  {
    name: 'GET the children of the root',
    call: (graph) => graph.api(`${ROOT}/children`).get(),
    gives: { value: [{ name: 'Reports' }, { name: 'welcome.txt' }] },
  },
  {
    name: 'GET children, a page of one',
    call: (graph) => graph.api(`${ROOT}/children`).top(1).get(),
    saves: { nextChildren: '@odata\\.nextLink' },
  },
  {
    name: 'GET children, the next page',
    call: (graph, id) => graph.api(id('nextChildren')).get(),
    gives: { value: [{ name: 'welcome.txt' }] },
  },
  {
    name: 'GET children by a path',
    call: (graph) => graph.api(`${ROOT}:/Reports:/children`).select('id,name').get(),
    gives: { value: [{ name: '2026 budget.csv' }] },
  },
  {
    name: 'GET a file by its path',
    call: (graph) => graph.api(`${ROOT}:/welcome.txt`).get(),
    gives: { name: 'welcome.txt', '@microsoft.graph.downloadUrl': expect.any(String) },
    saves: { welcome: 'id', signed: '@microsoft\\.graph\\.downloadUrl' },
  },
  {
    name: 'GET a file with a space in its name',
    call: (graph) => graph.api(`${ROOT}:/Reports/2026%20budget.csv`).get(),
    gives: { file: { mimeType: 'text/csv' } },
  },
  {
    name: 'GET a file by its id',
    call: (graph, id) => graph.api(`/sites/root/drive/items/${id('welcome')}`).get(),
    gives: { name: 'welcome.txt' },
  },
  {
    name: 'GET a file by the id of its library',
    call: (graph, id) => graph.api(`/drives/${id('drive')}/items/${id('welcome')}`).get(),
    gives: { name: 'welcome.txt' },
  },
  {
    name: 'GET a file that is not there',
    call: (graph) => graph.api(`${ROOT}:/none.txt`).get(),
    throws: { statusCode: 404, code: 'itemNotFound', requestId: expect.any(String) },
  },
  {
    name: 'GET content as a stream',
    call: async (graph) => textOf(await graph.api(`${ROOT}:/welcome.txt:/content`).getStream()),
    gives: expect.stringContaining('Welcome to'),
  },
  {
    name: 'GET content as bytes',
    call: async (graph, id) => ({
      bytes: (
        await graph
          .api(`/sites/root/drive/items/${id('welcome')}/content`)
          .responseType(ResponseType.ARRAYBUFFER)
          .get()
      ).byteLength,
    }),
    gives: { bytes: 45 },
  },
  {
    name: 'GET content behind the signed link',
    call: async (_, id) => (await fetch(overTheWire(id('signed')))).text(),
    gives: expect.stringContaining('Welcome to'),
  },
  {
    name: 'PUT a new file',
    call: (graph) =>
      graph.api(`${ROOT}:/note.txt:/content`).header('content-type', 'text/plain').put('A note.'),
    gives: { name: 'note.txt', size: 7 },
    saves: { note: 'id', eTag: 'eTag' },
  },
  {
    name: 'PUT a file anew',
    call: (graph) =>
      graph.api(`${ROOT}:/note.txt:/content`).header('content-type', 'text/plain').put('A longer note.'),
    gives: { size: 14 },
  },
  {
    name: 'PUT by a stream',
    call: (graph) =>
      graph
        .api(`${ROOT}:/streamed.txt:/content`)

        .putStream(Buffer.from('Streamed.')),
    gives: { size: 9 },
  },
  {
    name: 'PUT where a file is, and may not',
    call: (graph) =>
      graph.api(`${ROOT}:/note.txt:/content`).query({ '@microsoft.graph.conflictBehavior': 'fail' }).put('x'),
    throws: { statusCode: 409, code: 'nameAlreadyExists' },
  },
  {
    name: 'PUT where a file is, by another name',
    call: (graph) =>
      graph
        .api(`${ROOT}:/note.txt:/content`)
        .query({ '@microsoft.graph.conflictBehavior': 'rename' })
        .put('x'),
    gives: { name: 'note 1.txt' },
  },
  {
    name: 'PUT over a change of somebody else',
    call: (graph, id) => graph.api(`${ROOT}:/note.txt:/content`).header('if-match', id('eTag')).put('x'),
    throws: { statusCode: 412 },
  },
  {
    name: 'PUT a name that no file may have',
    call: (graph) => graph.api(`${ROOT}:/a%7Cb.txt:/content`).put('x'),
    throws: { statusCode: 400 },
  },
  {
    name: 'PATCH a name',
    call: (graph, id) => graph.api(`/sites/root/drive/items/${id('note')}`).patch({ name: 'renamed.txt' }),
    gives: { name: 'renamed.txt' },
  },
  {
    name: 'PATCH a description',
    call: (graph, id) => graph.api(`/sites/root/drive/items/${id('note')}`).update({ description: 'Short' }),
    gives: { description: 'Short' },
  },
  {
    name: 'POST a folder',
    call: (graph) =>
      graph
        .api(`${ROOT}/children`)
        .post({ name: 'Drafts', folder: {}, '@microsoft.graph.conflictBehavior': 'fail' }),
    gives: { folder: { childCount: 0 } },
    saves: { drafts: 'id' },
  },
  {
    name: 'POST a folder twice',
    call: (graph) => graph.api(`${ROOT}/children`).create({ name: 'Drafts', folder: {} }),
    throws: { statusCode: 409 },
  },
  {
    name: 'PATCH into a folder',
    call: (graph, id) =>
      graph.api(`/sites/root/drive/items/${id('note')}`).patch({ parentReference: { id: id('drafts') } }),
    gives: { parentReference: { name: 'Drafts' } },
  },
  {
    name: 'POST a copy',
    call: async (graph, id) => {
      const response: Response = await graph
        .api(`/sites/root/drive/items/${id('note')}/copy`)
        .responseType(ResponseType.RAW)
        .post({ name: 'copied.txt', parentReference: { id: 'root' } });
      return { status: response.status, monitor: response.headers.get('location') };
    },
    gives: { status: 202, monitor: expect.stringContaining('/_api/v2.0/monitor/') },
    saves: { monitor: 'monitor' },
  },
  {
    name: 'GET how far the copy is',
    call: async (_, id) => (await fetch(overTheWire(id('monitor')))).json(),
    gives: { status: 'completed' },
  },
  {
    name: 'GET what is called so',
    call: (graph) => graph.api("/sites/root/drive/root/search(q='copied')").get(),
    gives: { value: [{ name: 'copied.txt' }] },
  },
  {
    name: 'GET changes, from the start',
    call: (graph) => graph.api(`${ROOT}/delta`).get(),
    gives: { '@odata.deltaLink': expect.any(String) },
    saves: { delta: '@odata\\.deltaLink' },
  },
  {
    name: 'GET changes, in pages',
    call: (graph) => graph.api(`${ROOT}/delta`).top(2).get(),
    gives: { '@odata.nextLink': expect.any(String) },
    saves: { nextDelta: '@odata\\.nextLink' },
  },
  { name: 'GET changes, the next page', call: (graph, id) => graph.api(id('nextDelta')).get() },
  { name: 'DELETE a file', call: (graph, id) => graph.api(`/sites/root/drive/items/${id('note')}`).delete() },
  {
    name: 'DELETE it again',
    call: (graph, id) => graph.api(`/sites/root/drive/items/${id('note')}`).del(),
    throws: { statusCode: 404 },
  },
  {
    name: 'GET changes, since then',
    call: (graph, id) => graph.api(id('delta')).get(),
    gives: { value: [{ deleted: { state: 'deleted' } }] },
  },
  {
    name: 'a large file, by the helper',
    call: (graph) => uploadLarge(graph, 'large.bin', 2 * UNIT + 10),
    gives: { name: 'large.bin', size: 2 * UNIT + 10 },
  },
  {
    name: 'a large file, into the own library',
    call: async (graph) => {
      const task = await OneDriveLargeFileUploadTask.create(graph, Buffer.alloc(UNIT + 1, 'b'), {
        path: '/',
        fileName: 'mine.bin',
        rangeSize: UNIT,
      });
      return (await task.upload()).responseBody;
    },
    gives: { name: 'mine.bin', size: UNIT + 1 },
  },
  {
    name: 'an upload session, given up',
    call: async (graph) => {
      const { uploadUrl } = await graph.api(`${ROOT}:/never.bin:/createUploadSession`).post({});
      const { status } = await fetch(overTheWire(uploadUrl), { method: 'DELETE' });
      return { status };
    },
    gives: { status: 204 },
  },
  {
    name: 'GET content of a part',
    call: async (graph) =>
      textOf(await graph.api(`${ROOT}:/welcome.txt:/content`).header('range', 'bytes=0-6').getStream()),
    gives: 'Welcome',
  },
  {
    name: 'POST a link',
    call: (graph, id) =>
      graph
        .api(`/sites/root/drive/items/${id('welcome')}/createLink`)
        .post({ type: 'view', scope: 'organization' }),
    gives: { link: { type: 'view' } },
  },
  {
    name: 'GET permissions',
    call: (graph, id) => graph.api(`/sites/root/drive/items/${id('welcome')}/permissions`).get(),
  },
  {
    name: 'GET versions',
    call: (graph, id) => graph.api(`/sites/root/drive/items/${id('welcome')}/versions`).get(),
    gives: { value: [{ id: '1.0' }] },
  },
  {
    name: 'GET thumbnails',
    call: (graph, id) => graph.api(`/sites/root/drive/items/${id('welcome')}/thumbnails`).get(),
    gives: { value: [] },
  },
];
