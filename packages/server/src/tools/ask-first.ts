import type { ResolvedCall, Tool } from '@svc/catalog';
import type { RunningExecution } from '../upstream/begin-execution.js';
import type { ResolvedAccount } from '../upstream/forward.js';
import type { ToolResult } from './execute.js';

/** A call whose input is right and whose account may be used, just before it runs. */
export interface ReadyCall extends ResolvedCall {
  readonly tool: Tool;
  readonly account: ResolvedAccount;
  readonly execution: Pick<RunningExecution, 'id' | 'trace'>;
  /** Whether whoever calls may do it only when a person agrees, whatever the connection says. */
  readonly mustAsk: boolean;
}

/**
 * Runs a call, or lets a person be asked first: then it runs once, or never. Throws approval_required as long as nobody has
 * decided, and approval_denied.
 */
export type AskFirst = (call: ReadyCall, run: () => Promise<ToolResult>) => Promise<ToolResult>;
