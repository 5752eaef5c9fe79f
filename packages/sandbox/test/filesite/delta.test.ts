import { expect, test } from 'vitest';
import { ada, DRIVE, get, put, sandbox, useFilesite } from './setup.js';

useFilesite();

const pathOf = (link: string) => link.slice(sandbox.upstream('filesite').baseUrl.length);

test('returns changes that happen between two delta pages in the next round', async () => {
  const { id } = (await put('a.txt', 'one')).body;
  await put('b.txt', 'two');
  let { body } = await get(`${DRIVE}/root/delta?$top=4`);
  await ada.call('PATCH', `${DRIVE}/items/${id}`, { body: { name: 'c.txt' } });
  const { body: added } = await put('d.txt', 'new');
  const items = [...body.value];
  while (body['@odata.nextLink'] !== undefined) {
    ({ body } = await get(pathOf(body['@odata.nextLink'])));
    items.push(...body.value);
  }
  expect(items.map((one) => one.id)).not.toContain(added.id);
  const next = await get(pathOf(body['@odata.deltaLink']));
  expect(next.body.value.map((one: { name: string }) => one.name)).toEqual(['c.txt', 'd.txt']);
  expect((await get(pathOf(next.body['@odata.deltaLink']))).body.value).toEqual([]);
});
