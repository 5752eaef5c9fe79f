import type { Call } from '../front/call.js';
import { toOwnError } from '../listener/error-reply.js';
import type { BeginExecution } from '../upstream/begin-execution.js';
import type { AccountReference } from '../upstream/forward.js';

/** Parts of a refused tool call that the service knows. */
export interface NamedCall extends AccountReference {
  readonly toolName?: string | undefined;
}

/** Creates the function that records a tool call which the service refuses before it executes the tool. */
export function createRecordRefused(beginExecution: BeginExecution) {
  return function recordRefused(
    { applicationId, id: requestId, traceId }: Pick<Call, 'applicationId' | 'id' | 'traceId'>,
    thrown: unknown,
    { connectedAccountId, connectionName, identifier, account, toolName }: NamedCall = {},
  ): void {
    const named = { connectedAccountId, connectionName, identifier, account, toolName };
    beginExecution('tool', { ...named, applicationId, requestId, traceId }).fail(toOwnError(thrown));
  };
}

export type RecordRefused = ReturnType<typeof createRecordRefused>;
