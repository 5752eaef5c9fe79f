import { createInterface } from 'node:readline/promises';
import { UsageError } from '../config/usage-error.js';
import type { CommandInput, CommandOption } from './command.js';

/** Option `--yes`, which skips the confirmation of a destructive command. */
export const YES: CommandOption = {
  type: 'boolean',
  help: 'Run the command without asking for confirmation',
};

/**
 * Asks the user to confirm a destructive command. Throws a usage error if the reply is not `yes`, or if stdin is no
 * terminal.
 */
export async function confirm(input: Pick<CommandInput, 'has'>, question: string): Promise<void> {
  if (input.has('yes')) return;
  if (!process.stdin.isTTY)
    throw new UsageError(`${question} Nothing was changed yet. Add --yes to confirm.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const reply = await terminal.question(`${question} Type yes to confirm: `);
  terminal.close();
  if (reply.trim() !== 'yes')
    throw new UsageError(
      'Nothing was changed, because you did not type "yes". To confirm, run the command again.',
    );
}
