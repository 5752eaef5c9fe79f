import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { printable, printableLine } from '../printable.js';
import type { CommandResult } from './command.js';

const isLines = (result: CommandResult | AsyncIterable<string>): result is AsyncIterable<string> =>
  Symbol.asyncIterator in result;

/** Writes as fast as the reader reads, and nothing that a terminal would obey. */
export async function printResult(
  output: Writable,
  result: CommandResult | AsyncIterable<string>,
  { asJson }: { readonly asJson: boolean },
): Promise<void> {
  if (!isLines(result)) {
    output.write(`${printable(asJson ? JSON.stringify(result.data, null, 2) : result.text)}\n`);
    return;
  }
  for await (const line of result) {
    if (output.destroyed) return;
    if (!output.write(`${printableLine(line)}\n`))
      await Promise.race([once(output, 'drain'), once(output, 'close')]);
  }
}
