import { expect, test } from 'vitest';
import { loadCatalog } from '../load/load-catalog.js';
import type { Tool } from '../tool.js';

const catalog = loadCatalog();

/** Returns the example inputs of a tool, each with the tool version that it calls. */
const examplesOf = (tool: Tool) =>
  tool.examples.map(({ title, input: { schema_version: _, tool_version: __, ...input }, version }) => {
    const entry = catalog.selectVersion(tool, { schemaVersion: version });
    return { title, input, entry };
  });

/** Example calls of all tools, once for each default that the example's input leaves out. */
const calls = [...catalog.tools.values()].flatMap((tool) =>
  examplesOf(tool).flatMap(({ title, input, entry }) =>
    Object.entries(entry.input.properties ?? {})
      .filter(([name, { default: value }]) => value !== undefined && input[name] === undefined)
      .map(([name, { default: value }]) => ({ tool, entry, input, name, value, title })),
  ),
);

test('accepts a value that equals its default and gives the same result as without it', () => {
  expect(calls.length).toBeGreaterThan(50);
  for (const { tool, entry, input, name, value, title } of calls) {
    const result = catalog.validateInput(tool, entry, { ...input, [name]: value });
    expect(result, `${tool.name}, ${title}: ${name}`).toEqual(catalog.validateInput(tool, entry, input));
  }
});
