import { parseArgs } from 'node:util';
import { UsageError } from './usage-error.js';

export interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
}

export type Flags = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

export interface ReadFlags {
  readonly flags: Flags;
  /** What is not a flag, in order. */
  readonly words: readonly string[];
}

/** Reads a command line that may hold these options. Throws a usage error for any other. */
export function readFlags(
  args: readonly string[],
  options: Readonly<Record<string, Option>>,
  { takesWords = false } = {},
): ReadFlags {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: takesWords });
    return { flags: values, words: positionals };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${reason} \`svc-server --help\` lists the flags.`, { cause: error });
  }
}
