import type { Approval } from './approval.js';
import { type BeginApprovalParts, createBeginApproval } from './begin-approval.js';
import { type Callback, type CompleteApprovalParts, createCompleteApproval } from './complete-approval.js';

export type AuthorizeParts = BeginApprovalParts & CompleteApprovalParts;

/** What a user's browser asks for, from the link to the connected account. */
export interface Authorize {
  /** What the connect page asks. Does not use the link. */
  ask(token: string): Promise<Approval>;
  /** The user agreed: uses the link, and gives the URL of the upstream's own consent page. */
  begin(token: string, browser: string): Promise<{ readonly redirectTo: string }>;
  /** The user is back: exchanges the code and stores the tokens. */
  complete(callback: Callback): Promise<Approval>;
}

export const createAuthorize = (parts: AuthorizeParts): Authorize => ({
  ask: async (token) => (await parts.links.find(token)).approval,
  begin: createBeginApproval(parts),
  complete: createCompleteApproval(parts),
});
