import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';

/** Sends an MCP progress notification for a running tool call. Does nothing if the client did not request progress. */
export type ReportProgress = (progress: number, total: number, message: string) => Promise<void>;

export interface McpTool {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly description: string;
  /** Zod schema of the tool arguments. A strict schema rejects unknown arguments, any other schema ignores them. */
  readonly input: z.ZodObject;
  readonly annotations: ToolAnnotations;
  call(input: unknown, report: ReportProgress): Promise<CallToolResult>;
}

interface McpToolDefinition<Input extends z.ZodObject> extends Omit<McpTool, 'input' | 'call'> {
  readonly input: Input;
  run(input: z.output<Input>, report: ReportProgress): CallToolResult | Promise<CallToolResult>;
}

export function mcpTool<Input extends z.ZodObject>({ run, ...tool }: McpToolDefinition<Input>): McpTool {
  return { ...tool, call: async (input, report) => run(tool.input.parse(input), report) };
}

export const textResult = (...texts: string[]): CallToolResult => ({
  content: texts.map((text) => ({ type: 'text', text })),
});

/**
 * Tool result with `isError`, for a tool that ran and failed. Errors of the transport or the token are reported
 * differently.
 */
export const failedResult = (text: string): CallToolResult => ({ ...textResult(text), isError: true });
