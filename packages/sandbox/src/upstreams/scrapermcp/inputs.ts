import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';

/**
 * Actor input of `call-actor` before version 0.20. The form `actor:tool` calls a tool of an actor that is an MCP
 * server.
 */
export const actorOrTool = z
  .string()
  .min(1)
  .describe('Name of the Actor. For MCP server Actors, use format "actorName:toolName".');

const MAX_MEMORY = 32_768;
const MIN_MEMORY = 128;

export const memory = z
  .int()
  .min(MIN_MEMORY)
  .max(MAX_MEMORY)
  .refine((value) => Number.isInteger(Math.log2(value)), 'Memory has to be a power of 2.');

export const timeout = z.int().min(0);
export const actorInput = z.record(z.string(), z.unknown());
export const offset = z.number().int().min(0).default(0);

export const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true } as const;
export const RUNS = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
} as const;

/** Builds a tool result with structured content. The text content repeats it as JSON. */
export function structured(data: Record<string, unknown>, ...texts: string[]): CallToolResult {
  const all = [JSON.stringify(data), ...texts];
  return { content: all.map((text) => ({ type: 'text', text })), structuredContent: data };
}
