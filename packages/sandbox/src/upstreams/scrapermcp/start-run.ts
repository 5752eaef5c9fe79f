import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { failedResult, textResult } from '../../mcp/tool.js';
import { type Actor, fullName, type Item, inputSchemaOf } from './actor.js';
import { findActor } from './actors.js';
import type { Account, CallOptions, Run } from './runs.js';

/** Result of starting a run: the run, or a tool result if no run starts. */
export type Started = { readonly run: Run } | { readonly result: CallToolResult };

export function startRun(
  account: Account,
  {
    actor: target,
    input,
    callOptions,
  }: { actor: string; input: Item; callOptions?: CallOptions | undefined },
): Started {
  const [idOrName = '', tool] = target.split(':');
  const actor = findActor(idOrName);
  if (actor === undefined) return refused(`Actor ${idOrName} was not found.`);
  if (actor.refusal !== undefined) return refused(actor.refusal);
  if (tool !== undefined || actor.tools !== undefined)
    return { result: passThrough({ actor, tool, input, hint: `call it as ${idOrName}:tool` }) };
  const { error } = actor.input.safeParse(input);
  if (error === undefined) return { run: account.start(actor, input, callOptions ?? {}) };
  const schema = JSON.stringify(inputSchemaOf(actor));
  return refused(
    `The input does not match the input schema of ${target}: ${z.prettifyError(error)}\nInput schema: ${schema}`,
  );
}

const refused = (text: string): Started => ({ result: failedResult(text) });

interface ToolOfActor {
  readonly actor: Actor;
  readonly tool: string | undefined;
  readonly input: Item;
  readonly hint: string;
}

// Returns the result of a tool of an MCP server actor, with the placeholder run id that the real server uses.
function passThrough(call: ToolOfActor): CallToolResult {
  const result = callToolOf(call);
  return result.isError ? result : { ...result, structuredContent: { runId: 'mcp-passthrough' } };
}

/** Calls a tool of an actor that is an MCP server. */
export function callToolOf({ actor, tool: toolName, input, hint }: ToolOfActor): CallToolResult {
  const tool = actor.tools?.find(({ name }) => name === toolName);
  return tool === undefined
    ? failedResult(`Actor ${fullName(actor)} is an MCP server without the tool ${toolName}: ${hint}.`)
    : textResult(tool.call(input));
}
