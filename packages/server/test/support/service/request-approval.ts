import type { Application } from './application.js';

interface ToolCall {
  readonly connectionName: string;
  readonly connectedAccountId: string;
  /** Tool whose calls need approval. */
  readonly toolName: string;
  readonly toolInput?: object;
}

/** Calls a tool that needs approval, and returns the ID of the pending approval. */
export async function requestApproval(
  { call }: Pick<Application, 'call'>,
  { connectionName, connectedAccountId, toolName, toolInput = {} }: ToolCall,
): Promise<string> {
  const requestToken = (tools: object) =>
    call('PATCH', `/v1/connections/${connectionName}`, { body: { approve: { default: 'never', tools } } });
  await requestToken({ [toolName]: 'always' });
  const reply = await call('POST', `/v1/tools/${toolName}/execute`, {
    body: { connectedAccountId, toolInput },
  });
  await requestToken({});
  return reply.json<{ error: { details: { id: string } } }>().error.details.id;
}
