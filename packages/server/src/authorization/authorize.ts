import { failureRedirect, stillRegistered } from '../applications/redirect-urls.js';
import { findApplication } from '../connections/find-account.js';
import type { Storage } from '../storage/storage.js';
import type { Callback } from './authorization-flow.js';
import { type BeginApprovalParts, createBeginApproval } from './begin-approval.js';
import { type CompleteApprovalParts, createCompleteApproval, type Ending } from './complete-approval.js';
import type { Question } from './permissions.js';

export type AuthorizeParts = BeginApprovalParts &
  CompleteApprovalParts & { readonly storage: Pick<Storage, 'applications'> };

/** What a user's browser asks for, from the link to the connected account. */
export interface Authorize {
  /** What the connect page asks. Does not use the link. */
  ask(token: string): Promise<Question>;
  /** The user does not want to. Does not use the link. */
  cancel(token: string): Promise<Ending>;
  /** The user agreed: uses the link, and gives the URL of the upstream's own consent page. */
  begin(token: string, browser: string): Promise<{ readonly redirectTo: string }>;
  /** The user is back: exchanges the code, and stores the tokens or keeps them until they are verified. */
  complete(callback: Callback): Promise<Ending>;
}

export function createAuthorize(parts: AuthorizeParts): Authorize {
  const { storage, links } = parts;
  return {
    ask: async (token) => (await links.find(token)).approval,
    async cancel(token) {
      const { link, approval } = await links.find(token);
      const application = await findApplication(storage, link.applicationId);
      const failureUrl = stillRegistered(application, link.failureUrl);
      return failureUrl === null ? { approval } : { redirectTo: failureRedirect(failureUrl, 'forbidden') };
    },
    begin: createBeginApproval(parts),
    complete: createCompleteApproval(parts),
  };
}
