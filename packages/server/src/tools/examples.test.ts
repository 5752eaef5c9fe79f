import { type Catalog, loadCatalog } from '@svc/catalog';
import { afterAll, expect, test } from 'vitest';
import { now, plain, runExample } from '../../test/support/tools/run-example.js';

const catalog: Catalog = loadCatalog({ now });
const cases = [...catalog.tools.values()].flatMap((tool) =>
  tool.examples.map((example) => ({ name: tool.name, title: example.title, tool, example })),
);

test.each(cases)('$name: $title', async ({ tool, example }) => {
  const { version, sent, data } = await runExample(catalog, tool, { example });
  const expected = example.requests ?? [example.request];
  expect(sent.map(plain)).toEqual(expected.map((request) => plain(request ?? {})));
  if ('data' in example) expect(data).toEqual(example.data);
  if (data !== undefined) expect(catalog.outputProblems(tool, version, data)).toEqual([]);
});

test('every tool has an example, and every example contains its requests', () => {
  expect([...catalog.tools.values()].filter(({ examples }) => examples.length === 0)).toEqual([]);
  expect(
    cases.filter(({ example }) => !example.request && !example.requests).map(({ name }) => name),
  ).toEqual([]);
});

afterAll(() => {
  for (const { id, tools } of catalog.connectors.values()) {
    const examples = tools.flatMap((tool) => tool.examples).length;
    process.stdout.write(`${id}: ${examples} examples of ${tools.length} tools\n`);
  }
});
