import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';

/** Tells the client that a call is still at work; says nothing when the client asked for no progress. */
export type ReportProgress = (progress: number, total: number, message: string) => Promise<void>;

export interface McpTool {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly description: string;
  /** Schema of the arguments. A strict schema refuses unknown arguments; any other ignores them. */
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

/** The tool ran and failed: the transport and the token are fine. */
export const failedResult = (text: string): CallToolResult => ({ ...textResult(text), isError: true });
