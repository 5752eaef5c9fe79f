import { closestName } from '@svc/catalog';
import { type Flags, readFlags } from '../config/flags.js';
import { SETTING_OPTIONS } from '../config/settings.js';
import { UsageError } from '../config/usage-error.js';
import { ALL_COMMANDS } from './all-commands.js';
import type { Command, CommandInput } from './command.js';
import { commandHelp, helpOfGroup, usageOf } from './command-help.js';

export interface CommandCall {
  readonly command: Command;
  readonly input: CommandInput;
  /** All flags of the command line: options of the command and settings of the service. */
  readonly flags: Flags;
  readonly asJson: boolean;
}

/** Result of parsing a command line: a command to run, or a help text to print. */
export type ParsedCommand = CommandCall | { readonly help: string };

const COMMON = { help: { type: 'boolean' }, json: { type: 'boolean' } } as const;

function findCommand(words: readonly string[]): Command | undefined {
  const fits = ({ name }: Command) => name.split(' ').every((word, index) => word === words[index]);
  return ALL_COMMANDS.filter(fits).sort((one, other) => other.name.length - one.name.length)[0];
}

const findGroup = (words: readonly string[]): readonly Command[] =>
  ALL_COMMANDS.filter(({ name }) => `${name} `.startsWith(`${words.join(' ')} `));

/** Returns the name of the command whose words are most like the given words. Undefined if none is like them. */
function findMeant(words: readonly string[]): string | undefined {
  const like = ALL_COMMANDS.flatMap(({ name }) => {
    const given = words.slice(0, name.split(' ').length).join(' ');
    return closestName(given, [name]) ?? [];
  });
  return closestName(words.join(' '), like) ?? like[0];
}

function explainUnknown(words: readonly string[], args: readonly string[]): ParsedCommand {
  const named = words.join(' ');
  const inGroup = findGroup(words);
  if (inGroup.length > 0 && args.includes('--help')) return { help: helpOfGroup(named, inGroup) };
  const meant = inGroup.length > 0 ? undefined : findMeant(words);
  if (meant !== undefined) throw new UsageError(`There is no command "${named}". Did you mean "${meant}"?`);
  const near = inGroup.length > 0 ? inGroup : findGroup(words.slice(0, 1));
  const known =
    near.length > 0
      ? `Use one of: ${near.map(({ name }) => name).join(', ')}`
      : '`svc-server --help` lists the commands';
  throw new UsageError(`There is no command "${named}". ${known}.`);
}

interface GivenWords {
  /** Names of the arguments of the command. */
  readonly takes: readonly string[];
  readonly words: readonly string[];
  /** Required option that was not given. */
  readonly missing: string | undefined;
}

const count = (number: number): string => `${number} argument${number === 1 ? '' : 's'}`;

/** Returns what is wrong with the arguments of a command, or `undefined` if nothing is. */
function findProblem({ takes, words, missing }: GivenWords): string | undefined {
  if (words.length > takes.length)
    return `The command takes ${count(takes.length)}, but ${words.length} were given`;
  if (words.length < takes.length) return `The argument <${takes[words.length]}> is missing`;
  return missing && `The option --${missing} is missing`;
}

function createInput(command: Command, words: readonly string[], flags: Flags): CommandInput {
  const { takes = [], options = {} } = command;
  const required = Object.keys(options).filter((option) => options[option]?.isRequired);
  const problem = findProblem({ takes, words, missing: required.find((option) => !flags[option]) });
  if (problem !== undefined) throw new UsageError(`${problem}. Usage: ${usageOf(command)}`);
  const values = new Map([
    ...takes.map((name, index) => [name, words[index] ?? ''] as const),
    ...required.map((option) => [option, String(flags[option])] as const),
  ]);
  const isText = (value: unknown): value is string => typeof value === 'string';
  return {
    argument: (name) => values.get(name) ?? '',
    text: (option) => [flags[option]].find(isText),
    texts: (option) => [flags[option]].find(Array.isArray)?.filter(isText),
    has: (option) => flags[option] === true,
  };
}

/**
 * Parses a command line. The command's words and arguments must come before its flags. Throws a usage error if the
 * command line is invalid.
 */
export function parseCommand(args: readonly string[]): ParsedCommand {
  const firstFlag = args.findIndex((arg) => arg.startsWith('-'));
  const words = firstFlag === -1 ? args : args.slice(0, firstFlag);
  const command = findCommand(words);
  if (command === undefined) return explainUnknown(words, args);
  if (args.includes('--help')) return { help: commandHelp(command) };
  const rest = args.slice(command.name.split(' ').length);
  const options = { ...SETTING_OPTIONS, ...COMMON, ...command.options };
  const read = readFlags(rest, options, {
    takesWords: true,
    help: `svc-server ${command.name} --help`,
  });
  return {
    command,
    input: createInput(command, read.words, read.flags),
    flags: read.flags,
    asJson: read.flags['json'] === true,
  };
}
