import { expect, test } from 'vitest';
import { ALL_COMMANDS } from './all-commands.js';
import { parseCommand } from './parse-command.js';

function helpOf(...args: string[]): string {
  const parsed = parseCommand(args);
  if ('help' in parsed) return parsed.help;
  throw new Error(`${args.join(' ')} runs a command`);
}

function callOf(...args: string[]) {
  const parsed = parseCommand(args);
  if ('help' in parsed) throw new Error(`${args.join(' ')} shows a help`);
  return parsed;
}

test.each(ALL_COMMANDS.map(({ name }) => name))('%s --help prints its usage', (name) => {
  expect(helpOf(...name.split(' '), '--help')).toContain(`Usage: svc-server ${name}`);
});

test('a command group has its own help', () => {
  expect(helpOf('apps', '--help')).toMatch(
    /^Usage: svc-server apps <command> .*\n\n {2}apps create <name> +\S/,
  );
});

test.each([
  { args: ['aps', 'create'], says: /^There is no command "aps create"\. Did you mean "apps create"\?$/ },
  { args: ['app', 'secrets', 'ad', 'x'], says: /Did you mean "apps secrets add"\?$/ },
  { args: ['bakup', 'file.db'], says: /Did you mean "backup"\?$/ },
  { args: ['deploy'], says: /^There is no command "deploy"\. `svc-server --help` lists the commands\.$/ },
  { args: ['apps', 'frobnicate'], says: /^There is no command "apps frobnicate"\. Use one of: apps create/ },
  { args: ['apps'], says: /^There is no command "apps"\. Use one of: apps create/ },
  {
    args: ['apps', 'create'],
    says: /^The argument <name> is missing\. Usage: svc-server apps create <name>/,
  },
  {
    args: ['apps', 'create', 'Two', 'names'],
    says: /^The command takes 1 argument, but 2 were given\. Usage: svc-server apps create <name>/,
  },
  {
    args: ['accounts', 'revoke', '--application', 'app_1'],
    says: /Usage: svc-server accounts revoke --application ID --connection NAME \[/,
  },
  {
    args: ['apps', 'create', 'Notes', '--language', 'de'],
    says: /^Unknown option '--language'\. `svc-server apps create --help` lists the options\.$/,
  },
  {
    args: ['apps', 'change', 'app_1', '--verifyurl', 'https://a.example'],
    says: /^Unknown option '--verifyurl'\. Did you mean --verify-url\? `svc-server apps change --help` lists the options\.$/,
  },
  { args: ['apps', 'list', '--data'], says: /^Option '--data <value>' argument missing\. `svc-server apps/ },
  { args: ['apps', 'create', '--data', '--json', 'x'], says: /ambiguous\. `svc-server apps/ },
])('$args is a usage error', ({ args, says }) => {
  expect(() => parseCommand(args)).toThrow(expect.objectContaining({ name: 'UsageError' }));
  expect(() => parseCommand(args)).toThrow(says);
});

test('a command accepts arguments and settings in any order after its words', () => {
  const { input, flags, asJson } = callOf('apps', 'create', '--data', '/tmp/a', 'My notes', '--json');
  expect([input.argument('name'), flags['data'], asJson]).toEqual(['My notes', '/tmp/a', true]);
  expect(callOf('apps', 'create', '--', '--help-desk').input.argument('name')).toBe('--help-desk');
});
