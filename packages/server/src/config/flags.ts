import { parseArgs } from 'node:util';
import { closestName } from '@svc/catalog';
import { UsageError } from './usage-error.js';

export interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
}

export type Flags = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

export interface ReadFlags {
  readonly flags: Flags;
  /** Positional arguments in their order. */
  readonly words: readonly string[];
}

/** Returns the first sentence of the parser's error message, without the parser's advice and without the full stop. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [first = message] = message.split(/\.\s/);
  return first.replace(/\.$/, '');
}

/** Returns a sentence that names the option which an unknown option resembles. Empty if it resembles none. */
function suggestion(error: unknown, names: readonly string[]): string {
  const [, given] = /^Unknown option '--([^']+)'/.exec(reasonOf(error)) ?? [];
  const meant = given === undefined ? undefined : closestName(given, names);
  return meant === undefined ? '' : ` Did you mean --${meant}?`;
}

/** Parses a command line with the given options. Throws UsageError for an unknown option. */
export function readFlags(
  args: readonly string[],
  options: Readonly<Record<string, Option>>,
  { takesWords = false, help = 'svc-server --help' } = {},
): ReadFlags {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: takesWords });
    return { flags: values, words: positionals };
  } catch (error) {
    const hint = suggestion(error, Object.keys(options));
    throw new UsageError(`${reasonOf(error)}.${hint} \`${help}\` lists the options.`, { cause: error });
  }
}
