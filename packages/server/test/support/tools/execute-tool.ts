import type { Application, Reply } from '../service/application.js';

export interface ToolCall {
  readonly connectedAccountId: string;
  readonly toolInput?: unknown;
  readonly schemaVersion?: string;
  readonly toolVersion?: string;
}

/** Executes a tool over HTTP with an untyped input, so that tests can send invalid input. */
export const executeTool = ({ call }: Application, toolName: string, toolCall: ToolCall): Promise<Reply> =>
  call('POST', `/v1/tools/${toolName}/execute`, { body: { toolInput: {}, ...toolCall } });
