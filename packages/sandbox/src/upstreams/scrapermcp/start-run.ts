import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { failedResult, textResult } from '../../mcp/tool.js';
import { type Item, inputSchemaOf } from './actor.js';
import { findActor } from './actors.js';
import type { Account, CallOptions, Run } from './runs.js';

/** A started run, or the result that the call ends with at once. */
export type Started = { readonly run: Run } | { readonly result: CallToolResult };

export function startRun(
  account: Account,
  { actor: named, input, callOptions }: { actor: string; input: Item; callOptions?: CallOptions | undefined },
): Started {
  const [idOrName = '', tool] = named.split(':');
  const actor = findActor(idOrName);
  if (actor === undefined) return refused(`Actor ${idOrName} was not found.`);
  if (actor.refusal !== undefined) return refused(actor.refusal);
  if (tool !== undefined || actor.tools !== undefined) return { result: passThrough(named, input) };
  const { error } = actor.input.safeParse(input);
  if (error === undefined) return { run: account.start(actor, input, callOptions ?? {}) };
  const schema = JSON.stringify(inputSchemaOf(actor));
  return refused(
    `The input does not match the input schema of ${named}: ${z.prettifyError(error)}\nInput schema: ${schema}`,
  );
}

const refused = (text: string): Started => ({ result: failedResult(text) });

// Returns the response of an actor that is an MCP server as it is, with a placeholder for the id of a run.
function passThrough(named: string, input: Item): CallToolResult {
  const [idOrName = '', toolName] = named.split(':');
  const tool = findActor(idOrName)?.tools?.find(({ name }) => name === toolName);
  if (tool === undefined)
    return failedResult(`Actor ${idOrName} is an MCP server: call it as ${idOrName}:tool.`);
  return { ...textResult(tool.call(input)), structuredContent: { runId: 'mcp-passthrough' } };
}
