import type { AgentTool, RunOptions } from './agent-tool.js';
import { denied, invalidInput, isToolFailure } from './tool-failure.js';

/** Call that waits for the approval of a person. */
export interface PendingCall {
  readonly tool: AgentTool;
  /** Input from the model. */
  readonly input: unknown;
}

/** Asks a person about a call. True runs the call. False, or a reason for the model, rejects it. */
export type Approve = (call: PendingCall) => boolean | string | Promise<boolean | string>;

/** Options for libraries that have no approval of their own. */
export interface ApprovalOptions {
  /**
   * Called before a tool runs that needs approval. Default: such tools do not run, and the model receives a failure.
   */
  readonly approve?: Approve | undefined;
}

/** Runs a tool. If the tool needs approval, asks a person first. */
export async function runApproved(
  tool: AgentTool,
  input: unknown,
  { approve, ...options }: ApprovalOptions & RunOptions,
): Promise<unknown> {
  if (tool.needsApproval) {
    const answer = approve === undefined ? 'Nobody can be asked here.' : await approve({ tool, input });
    if (answer !== true) throw denied(answer === false ? 'The user does not want this.' : answer);
  }
  return tool.run(input, options);
}

/** Returns the data for the model, or the failure on which it can act. Throws other errors. */
export async function answerOf(
  run: () => Promise<unknown>,
): Promise<{ readonly isError: boolean; readonly text: string }> {
  try {
    return { isError: false, text: textOf(await run()) };
  } catch (error) {
    if (isToolFailure(error)) return { isError: true, text: error.message };
    throw error;
  }
}

/** Converts data to JSON text. Missing data becomes `null`, which models read as "done". */
export const textOf = (data: unknown): string => JSON.stringify(data ?? null);

/** Parses the arguments of a call from JSON text. */
export function parseArguments(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    throw invalidInput('The arguments are not JSON.');
  }
}
