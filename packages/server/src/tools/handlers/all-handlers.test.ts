import { readdirSync, readFileSync } from 'node:fs';
import { loadCatalog } from '@svc/catalog';
import { expect, test } from 'vitest';
import { handlers } from './all-handlers.js';

/**
 * Maximum number of tools that run handler code instead of a JSON definition: 30 % of the tools. More would show that
 * the JSON format lacks a feature.
 */
const MAX_HANDLERS = Math.floor(loadCatalog().tools.size * 0.3);

test('most tools are written in JSON, and every handler explains itself in one line', () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const texts = folders.map(({ name }) => readFileSync(`${import.meta.dirname}/${name}/${name}.ts`, 'utf8'));
  const explained = [...texts.join('\n').matchAll(/^ {2}\/\/ \S.*\n {2}(\w+):|^ {2}\/\/ \S.*\n {2}(\w+),/gm)];
  expect(explained.map(([, first, second]) => first ?? second).sort()).toEqual(Object.keys(handlers).sort());
  expect(Object.keys(handlers).length).toBeLessThanOrEqual(MAX_HANDLERS);
});
