import { expect, test } from 'vitest';
import { ada, DRIVE, get, put, reason, useFilesite, values } from './setup.js';

useFilesite();

const ITEMS = '/v1.0/sites/root/lists/Documents/items';
const namesOf = (response: Awaited<ReturnType<typeof get>>) => values(response).map(({ name }) => name);

test.each(['$select=id, name', 'select=id,name', '%24select=name%2Cid'])(
  'the option %s selects fields',
  async (option) => {
    const { body } = await get(`${DRIVE}/root:/welcome.txt?${option}`);
    expect(Object.keys(body).toSorted()).toEqual(['@odata.context', 'id', 'name']);
  },
);

test('children are sorted and paged as requested', async () => {
  for (const [name, text] of [
    ['b.txt', 'four'],
    ['a.txt', 'three'],
  ] as const)
    await put(name, text);
  const all = namesOf(await get(`${DRIVE}/root/children?$orderby=name`));
  expect(all).toEqual([...all].sort((a, b) => a.localeCompare(b)));
  expect(namesOf(await get(`${DRIVE}/root/children?$orderby=name desc`))).toEqual(all.toReversed());
  const sizes = values(await get(`${DRIVE}/root/children?$orderby=size`)).map(({ size }) => size);
  expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
  expect(namesOf(await get(`${DRIVE}/root/children?orderby=name&top=1`))).toEqual(all.slice(0, 1));
  expect(reason(await get(`${DRIVE}/root/children?$orderby=folder`))).toEqual([400, 'invalidRequest']);
});

test('expanded properties have their own selection and stay in the result', async () => {
  const { body } = await get(`${DRIVE}/root:/Reports?$select=id&$expand=children($select=name),thumbnails`);
  expect(body).toEqual({
    '@odata.context': expect.any(String),
    id: expect.any(String),
    children: [{ name: '2026 budget.csv' }],
    thumbnails: [],
  });
  const [row] = values(await get(`${ITEMS}?expand=fields(select=FileLeafRef),driveItem&$select=id&$top=1`));
  expect(row).toEqual({
    id: '1',
    fields: { FileLeafRef: expect.any(String) },
    driveItem: expect.objectContaining({ webUrl: expect.any(String) }),
  });
  expect(values(await get(`${DRIVE}/root/children?$expand=thumbnails&$top=1`))).toMatchObject([
    { thumbnails: [] },
  ]);
  expect(reason(await get(`${DRIVE}/root?$expand=parents`))).toEqual([400, 'invalidRequest']);
});

test('a folder name must not end with a dot, and a file name may', async () => {
  const make = (body: object) => ada.call('POST', `${DRIVE}/root/children`, { body });
  expect(reason(await make({ name: 'a.', folder: {} }))).toEqual([
    400,
    'invalidRequest',
    'nameContainsInvalidCharacters',
  ]);
  const made = await make({ name: 'a', folder: {} });
  expect((await ada.call('PATCH', `${DRIVE}/items/${made.body.id}`, { body: { name: 'b.' } })).status).toBe(
    400,
  );
  expect((await make({ name: 'a.', file: {} })).status).toBe(201);
});

test('the host name of the tenant identifies its root site', async () => {
  const { body } = await get('/v1.0/sites/contoso.sharepoint.com');
  expect(body.id).toBe((await get('/v1.0/sites/root')).body.id);
});
