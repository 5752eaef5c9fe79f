import { createApprovalLinks } from './approval-links.js';
import { createAskFirst } from './ask-first.js';
import { createCallApprovals } from './call-approvals.js';
import { createQuestion, type QuestionParts } from './create-question.js';
import { createRunOnce } from './run-once.js';
import { createSettle } from './settle.js';

export interface ApprovalsParts extends Omit<QuestionParts, 'settle'> {
  /** What users' browsers see, without a slash at the end. */
  readonly environmentUrl: string;
}

/** Everything that has to do with a person's yes or no to a call of a tool. */
export function createApprovals(given: ApprovalsParts) {
  const links = createApprovalLinks(given);
  const settle = createSettle(given);
  const parts = { ...given, links, settle };
  const question = createQuestion(parts);
  const runOnce = createRunOnce(parts);
  return {
    approvalLinks: links,
    callApprovals: createCallApprovals(parts),
    askFirst: createAskFirst({ ...parts, question, runOnce }),
    settleAll: settle.settleAll,
  };
}

export type Approvals = ReturnType<typeof createApprovals>;
