import type { CallOptions } from '@svc/core';
import type { ToolClient } from '../../src/index.js';

/** Creates a fake client that runs nothing, and the list of its calls. */
export function recordedClient(data: unknown = {}) {
  const calls: { readonly call: object; readonly options: CallOptions | undefined }[] = [];
  const executeTool = async (call: object, options?: CallOptions) => {
    calls.push({ call, options });
    return { data, schemaVersion: '1.0.0', toolVersion: '1.0.0', executionId: 'exec_1', requestId: 'req_1' };
  };
  // The type assertion is needed, because the data's type depends on the tool's name, which the fake ignores.
  return { client: { executeTool } as ToolClient, calls };
}
