import { assertContains } from '../assert-contains.ts';
import type { Registry } from './registry.ts';
import type { Tools } from './tools.ts';
import { newFolder, run, writeFiles } from './workplace.ts';

const CONNECTOR = {
  id: 'mail',
  title: 'Mail',
  description: 'Letters and the people who write them.',
  api: 'Mail API',
  baseUrl: 'https://mail.example.com',
  auth: { type: 'api_key', inject: { header: 'x-api-key', value: '{credential}' } },
};
const TOOL = {
  name: 'mail_letters_list',
  title: 'List letters',
  description: 'Lists the letters of a folder, the newest first.',
  hints: { readOnly: true, destructive: false, idempotent: true },
  versions: [
    {
      schema_version: '1.0.0',
      tool_version: '1.0.0',
      status: 'current',
      input: {
        type: 'object',
        additionalProperties: false,
        properties: { folder: { type: 'string', description: 'Of which folder.' } },
      },
      output: {
        type: 'object',
        additionalProperties: true,
        properties: { letters: { type: 'array', description: 'The letters.', items: { type: 'string' } } },
      },
      request: { method: 'GET', path: '/letters', query: { folder: '{folder}' } },
    },
  ],
  examples: [
    {
      title: 'One',
      input: { folder: 'inbox' },
      request: { method: 'GET', path: '/letters', query: { folder: 'inbox' } },
      reply: { letters: [] },
    },
  ],
};
const PROGRAM = `
import { createClient, mail } from '@svc/mail';
const tools = mail(createClient({ environmentUrl: 'http://127.0.0.1:1', accessToken: 'x' }), 'acct_1');
export const letters = async (): Promise<string[] | undefined> => (await tools.lettersList({ folder: 'inbox' })).data.letters;
// @ts-expect-error there is no such field
export const wrong = () => tools.lettersList({ box: 'inbox' });
console.log(typeof tools.lettersList);
`;

/**
 * Generates a package of a private catalogue with `npx @svc/codegen`, builds the package and uses it. Then releases the
 * catalogue and edits a released tool.
 */
export async function usePrivateCatalogue({ find }: Tools, registry: Registry): Promise<string> {
  const cwd = newFolder('catalogue');
  const options = { cwd, env: registry.env };
  const npm = find('npm/bin/npm-cli.js') ?? 'npm';
  const npx = find('npm/bin/npx-cli.js') ?? 'npx';
  const codegen = (args: readonly string[], expects = 0) =>
    run(process.execPath, [npx, '--yes', '--package', '@svc/codegen', 'svc-codegen', ...args], {
      ...options,
      expects,
    });
  writeFiles(cwd, {
    'package.json': { name: 'catalogue', private: true, type: 'module', workspaces: ['packages/*'] },
    'schemas/mail/connector.json': CONNECTOR,
    'schemas/mail/tools/mail_letters_list.json': TOOL,
    'main.ts': PROGRAM,
    'tsconfig.json': {
      compilerOptions: { module: 'nodenext', strict: true, noEmit: true, types: [], lib: ['es2023', 'dom'] },
      files: ['main.ts'],
    },
  });
  await codegen(['--schemas', 'schemas', '--out', 'packages']);
  await run(process.execPath, [npm, 'install', '--no-audit', '--no-fund'], options);
  await run(process.execPath, [npm, 'run', 'build', '--workspaces'], options);
  await run(process.execPath, [npm, 'pack', '--workspaces', '--dry-run'], options);
  await run(process.execPath, [find('typescript-7/bin/tsc') ?? 'tsc', '--project', '.'], options);
  await run(process.execPath, ['main.ts'], options);
  await codegen(['release', '--out', 'packages']);
  await codegen(['diff']);
  const edited = JSON.stringify(TOOL).replace('"type":"string"}}}', '"type":"integer"}}}');
  writeFiles(cwd, { 'schemas/mail/tools/mail_letters_list.json': edited });
  assertContains(await codegen(['diff'], 1), ['output.letters[]', 'a released version must not change']);
  return 'generated, built, used, released, and an edit of what was released refused';
}
