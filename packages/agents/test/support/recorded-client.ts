import type { CallOptions } from '@svc/core';
import type { ToolClient } from '../../src/index.js';

/** A client that runs nothing, and what it was asked. */
export function recordedClient(data: unknown = {}) {
  const calls: { readonly call: object; readonly options: CallOptions | undefined }[] = [];
  const executeTool = async (call: object, options?: CallOptions) => {
    calls.push({ call, options });
    return { data, schemaVersion: '1.0.0', toolVersion: '1.0.0', executionId: 'exec_1', requestId: 'req_1' };
  };
  // The types of the data follow from the name of the tool, which is not looked at here.
  return { client: { executeTool } as ToolClient, calls };
}
