import type { Application, Reply } from '../application.js';

export interface ToolCall {
  readonly connectedAccountId: string;
  readonly toolInput?: unknown;
  readonly schemaVersion?: string;
  readonly toolVersion?: string;
}

/** One plain call of a tool, whatever its input. */
export const executeTool = ({ call }: Application, toolName: string, toolCall: ToolCall): Promise<Reply> =>
  call('POST', `/v1/tools/${toolName}/execute`, { body: { toolInput: {}, ...toolCall } });
