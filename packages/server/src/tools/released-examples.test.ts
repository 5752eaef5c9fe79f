import { join } from 'node:path';
import { loadCatalog } from '@svc/catalog';
import { describeRelease, readReleaseFile } from '@svc/codegen/release';
import { expect, test } from 'vitest';
import { now, plain, runExample } from '../../test/support/tools/run-example.js';

// Checks that the examples of the last release still send the same requests and return the same data.
// Before the first release, the present catalogue serves as the release.

const catalog = loadCatalog({ now });
const file = readReleaseFile(join(import.meta.dirname, '../../../../schemas/released.json'));
const isReleased = Object.keys(file.connectors).length > 0;
const { connectors } = isReleased
  ? file
  : describeRelease(catalog, ({ id }) => ({ package: `@svc/${id}`, version: '0.0.0' }));

const cases = Object.values(connectors).flatMap(({ tools }) =>
  Object.entries(tools).flatMap(([name, { entries, examples }]) =>
    examples.flatMap((example) => {
      const current = entries.find(({ status }) => status === 'current');
      const contract = example.version ?? current?.schema_version;
      const entry = entries.findLast(({ schema_version }) => schema_version === contract);
      return entry === undefined ? [] : [{ name, title: example.title, example, entry }];
    }),
  ),
);

test.each(cases)('$name: $title', async ({ name, example, entry: { schema_version, tool_version } }) => {
  const tool = catalog.tools.get(name);
  if (tool === undefined) throw new Error(`${name} was released and is missing`);
  const { version, sent, data } = await runExample(catalog, tool, {
    example: { ...example, version: schema_version },
    toolVersion: tool_version,
  });

  const expected = example.requests ?? [example.request];
  expect(version).toMatchObject({ schema_version, tool_version });
  expect(sent.map(plain)).toEqual(expected.map((request) => plain(request ?? {})));
  if ('data' in example) expect(data).toEqual(example.data);
});

test('there are released examples', () => {
  expect(cases.length).toBeGreaterThan(100);
});
