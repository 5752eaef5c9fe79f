import type { CallApproval } from '../../approvals/call-approval.js';
import type { AccountParties } from '../../authorization/account-parties.js';
import { printable } from '../../text/printable.js';
import { approveTexts, outcomeTexts } from './approve-texts.js';
import type { State } from './connect-drawing.js';
import type { Language } from './connect-texts.js';
import { nextTexts } from './ending-texts.js';
import { type Html, html } from './html.js';
import { pageTime, timesInWords } from './page-time.js';
import { speak } from './speak.js';

/** Tool call to decide on, with the application, connector and user that the page names. */
export interface CallForDecision {
  readonly call: CallApproval;
  readonly parties: AccountParties;
}

export const MAX_REASON_CHARACTERS = 1000;

/**
 * Renders the English sentence that describes a tool call. The `<bdi>` element isolates the sentence, because its text
 * from the requester may contain right-to-left characters.
 */
const sentenceOf = ({ sentence }: CallApproval): Html =>
  html`<p class="call-summary" lang="en"><bdi>${timesInWords(sentence, 'en')}</bdi></p>`;

function questionPage(language: Language, { call, parties }: CallForDecision): string {
  const { say, page, account } = speak(language, parties);
  const byToken = html`<p class="lead">${say(approveTexts.byToken)}</p>`;
  return page(
    'requested',
    approveTexts.title,
    html`<p class="lead">${say(approveTexts.question)}</p>
${account()}
${sentenceOf(call)}
${call.requestedBy.startsWith('token:') ? byToken : html``}
<details><summary>${say(approveTexts.everything)}</summary><pre dir="ltr">${printable(JSON.stringify(call.toolInput, null, 2))}</pre></details>
<p class="caution">${say(approveTexts.caution)} ${say(approveTexts.until, { until: pageTime(call.expiresAt, language) })}</p>
<form method="post">
<label>${say(approveTexts.reason)}<textarea name="reason" rows="2" maxlength="${String(MAX_REASON_CHARACTERS)}"></textarea></label>
<div class="actions">
<button name="decision" value="allow">${say(approveTexts.allow)}</button>
<button name="decision" value="deny">${say(approveTexts.deny)}</button>
</div>
</form>`,
  );
}

const STATES: Readonly<Record<keyof typeof outcomeTexts, State>> = {
  approved: 'connected',
  running: 'connected',
  executed: 'connected',
  denied: 'apart',
  expired: 'apart',
  interrupted: 'failed',
};

/** Builds the approval page: the question while the call is pending, otherwise the outcome. */
export function approvePage(language: Language, callForDecision: CallForDecision): string {
  const { call, parties } = callForDecision;
  if (call.status === 'pending') return questionPage(language, callForDecision);
  const { say, page, account } = speak(language, parties);
  const { title, what } = outcomeTexts[call.status];
  return page(
    STATES[call.status],
    title,
    html`<p class="lead">${say(what)}</p>
${account()}
${sentenceOf(call)}
<p class="lead">${say(nextTexts.close.withoutName)}</p>`,
  );
}
