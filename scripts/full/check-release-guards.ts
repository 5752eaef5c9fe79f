import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { assertContains } from '../assert-contains.ts';

// Tests check-released.ts and `npm run catalog:changeset` in a small repository with a release. check-released.ts must
// reject a change of a released contract, and accept the changesets that `catalog:changeset` writes.

const ROOT = path.join(import.meta.dirname, '../..');
const repository = mkdtempSync(path.join(tmpdir(), 'svc-released-'));
const TOOL = 'schemas/mail/tools/mail_list.json';
const SOURCE = 'packages/connectors/mail/src/index.ts';
const CLIENT = 'packages/core';

const at = (file: string) => path.join(repository, file);

function write(file: string, content: unknown): void {
  mkdirSync(path.dirname(at(file)), { recursive: true });
  writeFileSync(at(file), typeof content === 'string' ? content : JSON.stringify(content));
}

function run(command: string, ...args: string[]): { code: number | null; printed: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: repository, encoding: 'utf8' });
  return { code: status, printed: stdout + stderr };
}

const check = () => run(process.execPath, 'scripts/checks/check-released.ts');
const git = (...args: string[]) =>
  run('git', '-c', 'user.name=check', '-c', 'user.email=check@localhost', ...args);
const changeset = (bump: string, ...names: string[]) =>
  `---\n${names.map((name) => `'${name}': ${bump}`).join('\n')}\n---\n\nSomething.\n`;

const version = (numbers: string, status: string, required: readonly string[]) => ({
  schema_version: numbers,
  tool_version: numbers,
  status,
  input: {
    type: 'object',
    additionalProperties: false,
    required,
    properties: {
      limit: { type: 'integer', maximum: 50, description: 'How many.' },
      folder: { type: 'string', description: 'Of which folder.' },
    },
  },
  output: { type: 'array', items: { type: 'string' } },
  request: {
    method: 'GET',
    path: `/v${numbers[0]}/letters`,
    query: { limit: '{limit}', folder: '{folder}' },
  },
});
const tool = (name: string) => ({
  name,
  title: 'List letters',
  description: 'Lists the letters of a folder, the newest first.',
  hints: { readOnly: true, destructive: false, idempotent: true },
  versions: [version('2.0.0', 'current', ['folder']), version('1.0.0', 'supported', [])],
  examples: [
    {
      title: 'One',
      input: { folder: 'inbox' },
      request: { method: 'GET', path: '/v2/letters', query: { folder: 'inbox' } },
      reply: [],
    },
  ],
});

/** Creates a repository with one connector and the real catalogue, generator and scripts of this repository. */
function prepare(): void {
  for (const name of ['catalog', 'codegen', 'server']) {
    mkdirSync(at('packages'), { recursive: true });
    symlinkSync(path.join(ROOT, 'packages', name), at(`packages/${name}`));
  }
  cpSync(path.join(ROOT, 'scripts'), at('scripts'), {
    recursive: true,
    filter: (file) => !/\.(json|txt)$|\/node_modules$/.test(file),
  });
  write('package.json', { name: 'small', private: true, type: 'module' });
  write('packages/connectors/mail/package.json', { name: '@svc/mail', version: '0.0.0' });
  write(SOURCE, 'export {};');
  write(`${CLIENT}/package.json`, { name: '@svc/core', version: '0.0.0' });
  write('schemas/mail/connector.json', {
    id: 'mail',
    title: 'Mail',
    description: 'Letters and the people who write them.',
    api: 'Mail API',
    baseUrl: 'https://mail.example.com',
    auth: { type: 'api_key', inject: { header: 'x-api-key', value: '{credential}' } },
  });
  write(TOOL, tool('mail_list'));
  write('schemas/mail/tools/mail_find.json', tool('mail_find'));
}

function release(): void {
  rmSync(at('.changeset'), { recursive: true, force: true });
  write('packages/connectors/mail/package.json', { name: '@svc/mail', version: '1.0.0' });
  write(`${CLIENT}/package.json`, { name: '@svc/core', version: '1.0.0' });
  const { code, printed } = run(process.execPath, 'packages/codegen/dist/main.js', 'release');
  assert.equal(code, 0, printed);
  git('init', '--quiet');
  git('add', '--all');
  assert.equal(git('commit', '--quiet', '--message', 'Release').code, 0);
}

/** Releases the client without a change of the catalogue, so that released.json stays the same. */
function releaseClient(): void {
  write(`${CLIENT}/package.json`, { name: '@svc/core', version: '1.1.0' });
  write(`${CLIENT}/src/index.ts`, 'export {};');
  git('add', '--all');
  assert.equal(git('commit', '--quiet', '--message', 'Release of the client').code, 0);
}

const edit = (from: string, to: string) => () => {
  const text = readFileSync(at(TOOL), 'utf8');
  assert.ok(text.includes(from));
  write(TOOL, text.replace(from, to));
};
const ALL = ['@svc/mail', '@svc/catalog', '@svc/server'];
const addTool = () => write('schemas/mail/tools/mail_send.json', tool('mail_send'));

/**
 * Test cases: a title, a change of the released connector, and the messages that check-released.ts must print after it.
 */
const AFTER: readonly [title: string, change: () => void, says: readonly string[] | 'nothing'][] = [
  ['nothing', () => {}, 'nothing'],
  [
    'an edited entry',
    edit('"maximum":50', '"maximum":10'),
    ['largest number changed from 50 to 10', 'must not change'],
  ],
  [
    'an edited request',
    edit('"path":"/v1/letters"', '"path":"/v1/mail"'),
    ['the implementation changed', 'must not change'],
  ],
  [
    'a removed version',
    () => write(TOOL, { ...tool('mail_list'), versions: [version('2.0.0', 'current', ['folder'])] }),
    ['1.0.0: the version was removed'],
  ],
  ['a removed tool', () => rmSync(at(TOOL)), ['mail_list: the tool was removed']],
  [
    'a new tool without a changeset',
    addTool,
    ['@svc/mail has no changeset', 'need minor', '@svc/catalog has no', '@svc/server has no'],
  ],
  [
    'a new tool with a small changeset',
    () => {
      addTool();
      write('.changeset/a.md', changeset('patch', ...ALL));
    },
    ['@svc/mail has a changeset with patch, but its changes need minor'],
  ],
  [
    'a new tool with the changeset of one package',
    () => {
      addTool();
      write('.changeset/a.md', changeset('minor', '@svc/mail'));
    },
    ['@svc/catalog has no changeset'],
  ],
  [
    'a new tool with its changeset',
    () => {
      addTool();
      write('.changeset/a.md', changeset('minor', ...ALL));
    },
    'nothing',
  ],
  [
    'a new tool and catalog:changeset',
    () => {
      addTool();
      assertContains(run(process.execPath, 'scripts/release/catalog-changeset.ts').printed, [
        'catalog-mail.md',
      ]);
      write('.changeset/catalog-mail.md', changeset('minor', ...ALL));
      assertContains(run(process.execPath, 'scripts/release/catalog-changeset.ts').printed, [
        'mail: covered',
      ]);
    },
    'nothing',
  ],
  [
    'other words without a changeset',
    edit('List letters', 'List all letters'),
    ['@svc/mail has no changeset', 'need patch'],
  ],
  [
    'other code without a changeset',
    () => write(SOURCE, 'export const one = 1;'),
    ['@svc/mail has no changeset', 'need patch'],
  ],
  [
    'other generated code without a changeset',
    () => write('packages/connectors/mail/src/generated/connector.ts', 'export const one = 1;'),
    ['@svc/mail has no changeset', 'need patch'],
  ],
  [
    'other code with a changeset',
    () => {
      write(SOURCE, 'export const one = 1;');
      write('.changeset/a.md', changeset('patch', '@svc/mail'));
    },
    'nothing',
  ],
  [
    'another version than the released one',
    () => write('packages/connectors/mail/package.json', { name: '@svc/mail', version: '1.0.1' }),
    ['has @svc/mail 1.0.0, but its package.json has 1.0.1'],
  ],
  [
    'a lost list of what was released',
    () => rmSync(at('schemas/released.json')),
    ['@svc/mail has version 1.0.0, but schemas/released.json'],
  ],
];

prepare();
try {
  assertContains(check().printed, ['@svc/mail has no changeset']);
  release();
  for (const [title, change, says] of AFTER) {
    change();
    const { code, printed } = check();
    assert.equal(code, says === 'nothing' ? 0 : 1, `${title}: ${printed}`);
    if (says !== 'nothing') assertContains(printed, says, title);
    git('checkout', '--quiet', '--', '.');
    git('clean', '--quiet', '--force', '-d');
  }
  releaseClient();
  assert.equal(check().code, 0, `a release that leaves the catalogue unchanged: ${check().printed}`);
} finally {
  rmSync(repository, { recursive: true });
}
console.log(`The check of releases works: it checked ${AFTER.length} changes after a release correctly`);
