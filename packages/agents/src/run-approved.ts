import { parseJson } from '@svc/catalog/parse-json';
import type { AgentTool, RunOptions } from './agent-tool.js';
import { denied, invalidInput, isToolFailure } from './tool-failure.js';

/** Tool call that waits for the approval of a person. */
export interface PendingCall {
  /** Tool that the model called. */
  readonly tool: AgentTool;
  /** Tool input that the person approves: the model's input after `AgentTool.read`, before validation. */
  readonly input: unknown;
}

/**
 * Function that asks a person about a tool call. True runs the call. False, or a text that explains the refusal to the
 * model, rejects it.
 */
export type Approve = (call: PendingCall) => boolean | string | Promise<boolean | string>;

/** Approval options for SDKs that have no approval of their own. */
export interface ApprovalOptions {
  /**
   * Function that is called before a tool runs that needs approval. Default: the tool does not run, and the model
   * receives a failure.
   */
  readonly approve?: Approve | undefined;
}

/** Runs a tool. Asks a person first if the tool needs approval. */
export async function runApproved(
  tool: AgentTool,
  input: unknown,
  { approve, ...options }: ApprovalOptions & RunOptions,
): Promise<unknown> {
  if (tool.needsApproval) {
    const decision =
      approve === undefined
        ? 'This call needs the approval of a person, but this program cannot ask for it, so nothing ran. Tell the user.'
        : await approve({ tool, input: tool.read(input) });
    if (decision !== true)
      throw denied(
        decision === false ? 'The user denied this call, so nothing ran. Do not repeat it.' : decision,
      );
  }
  return tool.run(input, options);
}

/** Returns the tool's data for the model, or a failure that the model can act on. Throws other errors. */
export async function modelOutput(
  run: () => Promise<unknown>,
): Promise<{ readonly isError: boolean; readonly text: string }> {
  try {
    return { isError: false, text: textOf(await run()) };
  } catch (error) {
    if (isToolFailure(error)) return { isError: true, text: error.message };
    throw error;
  }
}

/** Converts a tool's data to JSON text for the model. Missing data becomes `null`, which models read as "done". */
export const textOf = (data: unknown): string => JSON.stringify(data ?? null);

/** Parses the arguments of a call from JSON text. Throws the failure `invalid_input` for invalid JSON. */
export function parseArguments(text: string): unknown {
  try {
    return text.trim() === '' ? {} : parseJson(text);
  } catch {
    throw invalidInput('The arguments are not valid JSON. Send one JSON object.');
  }
}
