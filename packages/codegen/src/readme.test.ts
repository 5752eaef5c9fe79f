import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadCatalog } from '@svc/catalog';
import { beforeAll, expect, test } from 'vitest';
import { compilePrograms, temporaryFolder } from '../test/fixture.js';
import { runCommand } from './run-command.js';

const SCHEMAS = fileURLToPath(new URL('../../../schemas', import.meta.url));
const catalog = loadCatalog({ builtIn: false, folders: [SCHEMAS] });
const connectors = [...catalog.connectors.values()].map(({ id, tools, auth }) => ({ id, tools, auth }));
const folder = temporaryFolder();

/**
 * Reads the code examples of a connector package's README: the first steps, an example for each tool, and the example
 * for models.
 */
function readExamples(id: string) {
  const readme = readFileSync(join(folder, 'packages', id, 'README.md'), 'utf8');
  const [start = '', ...examples] = [...readme.matchAll(/```ts\n(.*?)\n```/gs)].map(([, code]) => code ?? '');
  const models = examples.pop() ?? '';
  return { start, examples, models };
}

function programOf(id: string): string {
  const { start, examples, models } = readExamples(id);
  return [start, ...examples.map((example) => `{\n${example}\n}`), models].join('\n');
}

// Compiles all examples in one run, because most of the compiler's input is shared.
let errors: readonly string[];
beforeAll(async () => {
  const { lines, exitCode } = await runCommand(['--schemas', SCHEMAS, '--out', join(folder, 'packages')]);
  expect(exitCode, lines.join('\n')).toBe(0);
  const ids = connectors.map(({ id }) => id);
  errors = compilePrograms(folder, Object.fromEntries(ids.map((id) => [`${id}.ts`, programOf(id)])), ids);
});

test.each(connectors)('every README example of $id compiles, and every tool has one', ({ id, tools }) => {
  expect(readExamples(id).examples).toHaveLength(tools.length);
  expect(errors.filter((error) => error.startsWith(`${id}.ts`))).toEqual([]);
});

test('the generated files compile', () => {
  const isOfExamples = (error: string) => connectors.some(({ id }) => error.startsWith(`${id}.ts`));
  expect(errors.filter((error) => !isOfExamples(error))).toEqual([]);
});

test.each(connectors)('the README of $id lists every scope and additional credential', ({ id, auth }) => {
  const readme = readFileSync(join(folder, 'packages', id, 'README.md'), 'utf8');
  const [, section = ''] = /## Authorization\n(.*?)\n## /s.exec(readme) ?? [];
  const expected = 'scopes' in auth ? auth.scopes : auth.credentials;
  const listed = [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name);
  expect(listed).toEqual(expected.map(({ name }) => name));
  expect(section).toMatch(/OAuth 2|`apiKey`|`bearerToken`/);
});
