import { describe, expect, test } from 'vitest';
import { ada, DRIVE, get, put, reason, useFilesite, values } from './setup.js';

useFilesite();

const folder = (name: string, parent = 'root') =>
  ada.call('POST', `${DRIVE}/items/${parent}/children`, { body: { name, folder: {} } });
const patch = (id: string, body: object, headers: Record<string, string> = {}) =>
  ada.call('PATCH', `${DRIVE}/items/${id}`, { body, headers });
const copy = (id: string, body: object) => ada.call('POST', `${DRIVE}/items/${id}/copy`, { body });

/** Creates the folders `/Outer/Inner` and a file next to `/Outer`. */
async function tree() {
  const outer = (await folder('Outer')).body;
  const inner = (await folder('Inner', outer.id)).body;
  return { outer, inner, file: (await put('a.txt', 'one')).body };
}

describe('the address of a drive item', () => {
  test('can be the id "root" of the root folder', async () => {
    const { body } = await get(`${DRIVE}/root`);
    expect((await get(`${DRIVE}/items/root`)).body).toEqual(body);
    expect(values(await get(`${DRIVE}/items/root/children?$top=1`))).toHaveLength(1);
  });

  test('can be a path below the id of a folder', async () => {
    const { outer, inner } = await tree();
    const below = `${DRIVE}/items/${outer.id}:/Inner`;
    for (const path of [below, `${below}:`, `${DRIVE}/items/root:/Outer/Inner`])
      expect((await get(path)).body.id).toBe(inner.id);
    const written = await ada.call('PUT', `${below}/b.txt:/content`, { body: 'two' });
    expect([written.status, written.body.parentReference.id]).toEqual([201, inner.id]);
    expect(values(await get(`${below}:/children`))).toMatchObject([{ id: written.body.id }]);
    expect(reason(await get(`${below}/none.txt`))).toEqual([404, 'itemNotFound']);
  });
});

describe('a move of a drive item', () => {
  test.each(['/drive/root:/Outer/Inner', '/drives/any/root:/Outer/Inner'])(
    'accepts the destination path %s',
    async (path) => {
      const { inner, file } = await tree();
      const moved = await patch(file.id, { parentReference: { path } });
      expect([moved.status, moved.body.parentReference.id]).toEqual([200, inner.id]);
    },
  );

  test('is refused if the destination is the item or its own descendant, like a copy', async () => {
    const { outer, inner } = await tree();
    for (const id of [outer.id, inner.id]) {
      expect(reason(await patch(outer.id, { parentReference: { id } }))).toEqual([400, 'invalidRequest']);
      expect(reason(await copy(outer.id, { parentReference: { id } }))).toEqual([400, 'invalidRequest']);
    }
    expect((await get(`${DRIVE}/root:/Outer/Inner`)).body.folder).toEqual({ childCount: 0 });
  });

  test('is refused for a destination that is not a folder of the same library', async () => {
    const { outer, file } = await tree();
    for (const reference of [{ id: file.id }, { driveId: 'b!other', id: 'root' }, { path: 'Outer' }])
      expect(reason(await patch(outer.id, { parentReference: reference }))).toEqual([400, 'invalidRequest']);
  });
});

describe('a name conflict', () => {
  const copyAs = (id: string, behavior: string) =>
    ada.call('POST', `${DRIVE}/items/${id}/copy?@microsoft.graph.conflictBehavior=${behavior}`, { body: {} });
  const reports = async () => (await get(`${DRIVE}/root:/Reports`)).body.id;

  test('makes a copy fail, get another name or replace a file, as requested', async () => {
    const { file, outer } = await tree();
    const reference = { parentReference: { id: outer.id } };
    expect(reason(await copyAs(file.id, 'fail'))).toEqual([409, 'nameAlreadyExists']);
    expect((await copyAs(file.id, 'rename')).status).toBe(202);
    expect((await get(`${DRIVE}/root:/a%201.txt`)).status).toBe(200);
    const path = `${DRIVE}/items/${file.id}/copy?@microsoft.graph.conflictBehavior=replace`;
    for (const _ of [1, 2]) expect((await ada.call('POST', path, { body: reference })).status).toBe(202);
    expect(values(await get(`${DRIVE}/items/${outer.id}/children`))).toHaveLength(2);
  });

  test('refuses a copy that would replace a folder or its own source', async () => {
    const { file } = await tree();
    for (const id of [await reports(), file.id])
      expect(reason(await copyAs(id, 'replace'))).toEqual([409, 'nameAlreadyExists']);
  });

  test('keeps an existing folder when a new one should replace it', async () => {
    const body = { name: 'Reports', folder: {}, '@microsoft.graph.conflictBehavior': 'replace' };
    const existing = await ada.call('POST', `${DRIVE}/root/children`, { body });
    expect([existing.status, existing.body.id]).toEqual([200, await reports()]);
    expect(existing.body.folder).toEqual({ childCount: 1 });
  });
});

test('accepts the eTag, the cTag or * as if-match', async () => {
  const { file } = await tree();
  const rename = (name: string, tag: string) => patch(file.id, { name }, { 'if-match': tag });
  const [first, second] = [await rename('b.txt', file.cTag), await rename('c.txt', '*')];
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(reason(await rename('d.txt', file.eTag))).toEqual([412, 'resourceModified']);
  const known = await get(`${DRIVE}/items/${file.id}`, { 'if-none-match': second.body.cTag });
  expect(known.status).toBe(304);
});
