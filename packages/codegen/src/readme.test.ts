import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadCatalog } from '@svc/catalog';
import { expect, test } from 'vitest';
import { compileProgram, temporaryFolder } from '../test/fixture.js';
import { runCommand } from './run-command.js';

const SCHEMAS = fileURLToPath(new URL('../../../schemas', import.meta.url));
const catalog = loadCatalog({ builtIn: false, folders: [SCHEMAS] });

test.each([...catalog.connectors.values()].map(({ id, tools }) => ({ id, tools })))(
  'every example in the README of $id compiles, one for each tool',
  async ({ id, tools }) => {
    const folder = temporaryFolder();
    const { lines, exitCode } = await runCommand([
      '--schemas',
      SCHEMAS,
      '--out',
      join(folder, 'packages'),
      '--only',
      id,
    ]);
    expect(exitCode, lines.join('\n')).toBe(0);
    const readme = readFileSync(join(folder, 'packages', id, 'README.md'), 'utf8');
    const [start = '', ...examples] = [...readme.matchAll(/```ts\n(.*?)\n```/gs)].map(
      ([, code]) => code ?? '',
    );
    const models = examples.pop() ?? '';
    expect(examples).toHaveLength(tools.length);
    const program = [start, ...examples.map((example) => `{\n${example}\n}`), models].join('\n');
    expect(compileProgram(folder, program, [id])).toEqual([]);
  },
);
