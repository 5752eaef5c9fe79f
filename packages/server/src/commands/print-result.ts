import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { CommandResult } from './command.js';

const isLines = (result: CommandResult | AsyncIterable<string>): result is AsyncIterable<string> =>
  Symbol.asyncIterator in result;

/** Writes as fast as the reader reads. */
export async function printResult(
  output: Writable,
  result: CommandResult | AsyncIterable<string>,
  { asJson }: { readonly asJson: boolean },
): Promise<void> {
  if (!isLines(result)) {
    output.write(`${asJson ? JSON.stringify(result.data, null, 2) : result.text}\n`);
    return;
  }
  for await (const line of result) {
    if (output.destroyed) return;
    if (!output.write(`${line}\n`)) await Promise.race([once(output, 'drain'), once(output, 'close')]);
  }
}
