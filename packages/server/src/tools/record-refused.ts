import type { AccountReference } from '../connections/resolve.js';
import { asServiceError } from '../errors.js';
import type { ApiRequest } from '../front/api-request.js';
import type { BeginExecution } from '../upstream/begin-execution.js';

/** Account and tool name of a refused tool call, as far as the service could read them from the request. */
export interface NamedCall extends AccountReference {
  readonly toolName?: string | undefined;
}

/** Creates the function that adds a tool call to the execution log if the service refuses it before the tool runs. */
export function createRecordRefused(beginExecution: BeginExecution) {
  return function recordRefused(
    { applicationId, id: requestId, traceId }: Pick<ApiRequest, 'applicationId' | 'id' | 'traceId'>,
    thrown: unknown,
    { connectedAccountId, connectionName, identifier, account, toolName }: NamedCall = {},
  ): void {
    const named = { connectedAccountId, connectionName, identifier, account, toolName };
    beginExecution('tool', { ...named, applicationId, requestId, traceId }).fail(asServiceError(thrown));
  };
}

export type RecordRefused = ReturnType<typeof createRecordRefused>;
