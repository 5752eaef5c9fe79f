import { parseArgs } from 'node:util';
import { UsageError } from './usage-error.js';

export interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
}

export type Flags = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

export interface ReadFlags {
  readonly flags: Flags;
  /** Positional arguments, in order. */
  readonly words: readonly string[];
}

/** Gives the first sentence of the parser's message, without its advice and full stop. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [first = message] = message.split(/\.\s/);
  return first.replace(/\.$/, '');
}

/** Reads a command line with these options. Throws UsageError for any other option. */
export function readFlags(
  args: readonly string[],
  options: Readonly<Record<string, Option>>,
  { takesWords = false, help = 'svc-server --help' } = {},
): ReadFlags {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: takesWords });
    return { flags: values, words: positionals };
  } catch (error) {
    throw new UsageError(`${reasonOf(error)}. \`${help}\` lists the flags.`, { cause: error });
  }
}
