import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseCommand } from '../../src/commands/parse-command.js';
import { readConfig } from '../../src/config/config.js';
import { type Application, fetchReply, signIn } from '../support/service/application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const PACKAGES = path.join(import.meta.dirname, '../../..');
const PAGES = ['server/README.md', ...globSync('docs/**/*.md', { cwd: PACKAGES })];

const blocksOf = (page: string): readonly string[] =>
  [...readFileSync(path.join(PACKAGES, page), 'utf8').matchAll(/^ *```sh\n(.*?)^ *```/gms)].map(
    ([, block = '']) => block,
  );

/** Splits the commands of a block into words, as a shell does: quotes, and a backslash before the end of a line. */
function commandsIn(block: string): string[][] {
  const commands: string[][] = [[]];
  const tokens = block.replaceAll('\\\n', ' ').matchAll(/(\n)|#.*|((?:[^\s'"#]|'[^']*'|"[^"]*")+)/g);
  for (const [, newline, word] of tokens) {
    if (newline) commands.push([]);
    else if (word) commands.at(-1)?.push(word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
  }
  return commands.filter(({ length }) => length > 0);
}

const COMMANDS = PAGES.flatMap((page) =>
  blocksOf(page)
    .flatMap(commandsIn)
    .map((words) => ({ page, words, title: `${page}: ${words.join(' ').slice(0, 60)}` })),
);

let service: Service;
let application: Application;
let variables: Record<string, string>;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  const account = await connectAccount(service, 'calendar');
  application = await signIn(service);
  const { identifier } = account;
  const { token } = await service.svc.accountToken({ identifier, connections: ['calendar'] });
  variables = {
    TOKEN: application.accessToken,
    ACCOUNT_TOKEN: token,
    SVC_CLIENT_ID: service.clientId,
    SVC_CLIENT_SECRET: service.clientSecret,
  };
});

afterAll(() => service.stop());

/** Replaces shell variables, and the default URLs of the docs with the URLs of the tested service. */
const filled = (word: string): string =>
  word
    .replaceAll(/\$(\w+)/g, (_, name: string) => variables[name] ?? '')
    .replace('http://localhost:4400', service.url)
    .replace('http://localhost:4402', service.proxyUrl);

/** Sends the request of a curl command. */
function curl(words: readonly string[]) {
  const headers = new Headers();
  const init: RequestInit & { headers: Headers } = { headers };
  let url = '';
  for (let at = 1; at < words.length; at += 1) {
    const [option = '', value = ''] = [words[at], words[at + 1]].map((word = '') => filled(word));
    if (option.startsWith('http')) url = option;
    else {
      at += 1;
      if (option === '-X') init.method = value;
      else if (option === '-u') headers.set('authorization', `Basic ${btoa(value)}`);
      else if (option === '-H') headers.set(value.split(': ')[0] ?? '', value.split(': ')[1] ?? '');
      else if (option === '-d') {
        init.method ??= 'POST';
        init.body = value;
        if (!headers.has('content-type')) headers.set('content-type', 'application/x-www-form-urlencoded');
      } else throw new Error(`The test does not know the option ${option} of curl.`);
    }
  }
  return fetchReply(url, init);
}

const isOf =
  (program: string) =>
  ({ words }: { readonly words: readonly string[] }): boolean =>
    words.find((word) => !/^[A-Z_]+=/.test(word)) === program;

const REQUESTS = COMMANDS.filter(isOf('curl'));
test.each(REQUESTS)('the service accepts the request in $title', async ({ words }) => {
  const { etag } = (await application.call('GET', '/v1/connections/calendar')).json<{ etag: string }>();
  variables['ETAG'] = etag;
  const reply = await curl(words);
  expect(reply.status, reply.text).toBeLessThan(300);
});

test.each(COMMANDS.filter(isOf('svc-server')))('svc-server accepts the command in $title', ({ words }) => {
  const at = words.indexOf('svc-server');
  const env = Object.fromEntries(words.slice(0, at).map((word) => word.split(/=(.*)/s)));
  const args = words.slice(at + 1);
  const [first = '-'] = args;
  if (!first.startsWith('-')) return expect(parseCommand(args)).toHaveProperty('command');
  const flags = args.filter((flag) => flag !== '--check');
  expect(readConfig(flags, { ...env, SVC_PRODUCTION: '0' })).toHaveProperty('port');
});

/** Programs whose commands other tests run, or that this repository does not contain. */
const OTHERS = ['npm', 'npx', 'node', 'claude', 'vitest', 'export'];

test('each command on the pages of the documentation is tested', () => {
  const programs = COMMANDS.map(({ words }) => words.find((word) => !/^[A-Z_]+=/.test(word)));
  const known = new Set([...OTHERS, 'curl', 'svc-server', undefined]);
  expect(programs.filter((program) => !known.has(program))).toEqual([]);
  expect(REQUESTS.length).toBeGreaterThan(5);
});
