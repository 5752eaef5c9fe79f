import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { printable, printableLine } from '../text/printable.js';
import type { CommandLine, CommandResult } from './command.js';

const isLines = (result: CommandResult | AsyncIterable<CommandLine>): result is AsyncIterable<CommandLine> =>
  Symbol.asyncIterator in result;

const jsonOf = ({ data }: CommandLine): string | undefined =>
  data === undefined ? undefined : JSON.stringify(data);

/**
 * Prints the result of a command. Waits while the output stream is full. Escapes control characters, because they could
 * manipulate the terminal.
 */
export async function printResult(
  output: Writable,
  result: CommandResult | AsyncIterable<CommandLine>,
  { asJson }: { readonly asJson: boolean },
): Promise<void> {
  if (!isLines(result)) {
    output.write(`${printable(asJson ? JSON.stringify(result.data, null, 2) : result.text)}\n`);
    return;
  }
  for await (const each of result) {
    if (output.destroyed) return;
    const line = asJson ? jsonOf(each) : each.text;
    if (line === undefined) continue;
    if (!output.write(`${printableLine(line)}\n`))
      await Promise.race([once(output, 'drain'), once(output, 'close')]);
  }
}
