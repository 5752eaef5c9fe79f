import type { AccountParties } from '../../authorization/account-parties.js';
import { CANCELLED } from '../../authorization/consent-errors.js';
import type { KeyProblem } from '../../authorization/enter-key.js';
import type { ConsentRequest, KeyForm, Permission } from '../../authorization/permissions.js';
import {
  accountTexts,
  cancelledTexts,
  connectTexts,
  inAppTexts,
  keyTexts,
  type Language,
  smallTexts,
  type Text,
} from './connect-texts.js';
import { nextTexts, type ProblemName, type ProblemTexts, problemTexts } from './ending-texts.js';
import { type Html, html } from './html.js';
import { permissionItems } from './permission-items.js';
import { type Say, speak } from './speak.js';

function permissionList(permissions: readonly Permission[], say: Say, language: Language): Html {
  if (permissions.length === 0) return html``;
  return html`<h2>${say(connectTexts.permissions)}</h2>
${permissionItems(permissions, say, language)}`;
}

/** Shows the upstream account that the user connected last, so that the user signs in with the right account. */
function lastAccount({ connectedAs, mayReplace }: ConsentRequest, say: Say): Html {
  if (connectedAs === undefined) return html``;
  return html`<p class="account">${say(mayReplace ? accountTexts.replace : accountTexts.keep)}</p>`;
}

/**
 * Asks the user to open the authorization link outside the app. The page keeps its buttons, because the check of the
 * User-Agent may be wrong.
 */
const openElsewhere = (link: string | undefined, say: Say): Html =>
  link === undefined
    ? html``
    : html`<h2>${say(inAppTexts.title)}</h2>
<p>${say(inAppTexts.what)}</p>
<pre class="address" dir="ltr">${link}</pre>`;

/** Notices on the connect page, in addition to the question for consent. */
interface Notices {
  /**
   * URL of the connect page, which the user copies into another browser. Set if an app's built-in browser shows the
   * page and the upstream refuses sign-ins there.
   */
  readonly linkToCopy?: string | undefined;
  /** Reason why the key that the user entered was not stored. */
  readonly problem?: KeyProblem['problem'] | undefined;
}

const buttons = (say: Say, allow: Text): Html => html`<div class="actions">
<button name="decision" value="allow">${say(allow)}</button>
<button name="decision" value="deny" formnovalidate>${say(connectTexts.deny)}</button>
</div>`;

/** Describes what happens after the consent at the upstream. */
const nextSteps = (say: Say): Html => html`<h2>${say(connectTexts.next)}</h2>
<ol>
${[connectTexts.goThere, connectTexts.agreeThere, connectTexts.comeBack].map((step) => html`<li>${say(step)}</li>\n`)}</ol>`;

function keySteps({ steps }: KeyForm, say: Say, language: Language): Html {
  if (steps.length === 0) return html``;
  return html`<h2>${say(keyTexts.steps)}</h2>
<ol>
${steps.map((step) => html`<li>${step[language] ?? step.en}</li>\n`)}</ol>`;
}

const secretField = (name: string, label: Html, isRequired: boolean): Html =>
  html`<label>${label}<input type="password" name="${name}" autocomplete="off" spellcheck="false" maxlength="2048"${isRequired ? html` required` : html``}></label>`;

/**
 * Builds the form fields for an API key and secondary credentials. The fields are always empty, because a page never
 * contains a stored key.
 */
function keyFields({ type, credentials, isTried }: KeyForm, say: Say): Html {
  const title = say(type === 'api_key' ? keyTexts.apiKey : keyTexts.bearerToken);
  const others = credentials.map((one) =>
    secretField(`credential.${one.name}`, say(keyTexts.optional, { title: one.title }), false),
  );
  return html`${secretField('key', title, true)}
${others}
<p class="caution">${say(isTried ? keyTexts.tried : keyTexts.untried)}</p>`;
}

/** Builds the page that asks the user to consent to OAuth access, or to enter an API key. */
export function connectPage(
  language: Language,
  question: ConsentRequest,
  { linkToCopy, problem }: Notices = {},
): string {
  const { say } = speak(language, question);
  const { keyForm } = question;
  const notice =
    problem === undefined
      ? openElsewhere(linkToCopy, say)
      : html`<p class="wrong" role="alert">${say(keyTexts[problem])}</p>`;
  const actions = keyForm
    ? html`<form method="post">\n${keyFields(keyForm, say)}\n${buttons(say, keyTexts.allow)}\n</form>`
    : html`<form method="post">\n${buttons(say, connectTexts.allow)}\n</form>`;
  return questionPage(language, question, { actions, notice });
}

/** Builds the connect page for operators, with buttons that do nothing. */
export function connectPreview(language: Language, question: ConsentRequest): string {
  const { say } = speak(language, question);
  const actions = html`<div class="actions">
<button type="button" value="allow">${say(question.keyForm ? keyTexts.allow : connectTexts.allow)}</button>
<button type="button">${say(connectTexts.deny)}</button>
</div>`;
  return questionPage(language, question, { actions, notice: html`` });
}

function questionPage(
  language: Language,
  question: ConsentRequest,
  { actions, notice }: { readonly actions: Html; readonly notice: Html },
): string {
  const { say, page } = speak(language, question);
  const { keyForm } = question;
  return page(
    'requested',
    connectTexts.title,
    html`<p class="lead">${say(connectTexts.question)}</p>
${notice}
${lastAccount(question, say)}
${permissionList(question.permissions, say, language)}
${keyForm ? keySteps(keyForm, say, language) : nextSteps(say)}
<p class="caution">${say(connectTexts.caution)}</p>
${actions}
<footer>${say(connectTexts.takeBack)}</footer>`,
  );
}

export function cancelledPage(language: Language, parties: AccountParties): string {
  const { say, page } = speak(language, parties);
  return page(
    'apart',
    cancelledTexts.title,
    html`<p class="lead">${say(cancelledTexts.what)}</p>
<p class="lead">${say(nextTexts.close.withName)}</p>
<p class="act"><a href="?">${say(cancelledTexts.changedYourMind)}</a></p>`,
    CANCELLED,
  );
}

export interface Failure {
  readonly name: ProblemName;
  /** Application, connector and user of the flow; `undefined` if the failure does not identify a flow. */
  readonly parties: AccountParties | undefined;
  readonly requestId: string;
  /** Error message for developers. The page shows the message only if a developer has to act. */
  readonly message: string;
  /**
   * Outcome of the authorization link, which the page reports to the window that opened it. Absent on a page that is
   * not the end of a link.
   */
  readonly outcome?: string;
  /** Address of the page on which an administrator consents for the user's organization. */
  readonly administratorUrl?: string;
  /** Relative URL of the button "Try again". An empty text repeats the request that failed. */
  readonly retryUrl: string;
  /** True if the authorization link is used up. A link works only once, so the page then offers no other attempt. */
  readonly isOver: boolean;
}

/**
 * Selects the text of a problem page. If the names of application and user are unknown, selects a text without these
 * names.
 */
const displayedProblem = ({ name, parties }: Failure): ProblemName =>
  name === 'otherPerson' && !parties ? 'changed' : name;

/** Shows a URL that the user sends to an administrator. CSS makes a click select the whole URL and nothing else. */
const addressFor = (url: string, say: Say): Html =>
  html`<h2>${say(smallTexts.administratorAddress)}</h2>
<pre class="address" dir="ltr">${url}</pre>`;

/** Next steps for which the page has the button "Try again". */
const RETRIES: readonly (keyof typeof nextTexts)[] = ['tryAgain', 'thenTryAgain'];

export function problemPage(
  language: Language,
  failure: Failure,
  texts: ProblemTexts = problemTexts,
): string {
  const { parties, requestId, message, isOver, retryUrl, administratorUrl } = failure;
  const { say, page, account } = speak(language, parties);
  const name = displayedProblem(failure);
  const { title, what, next: usual } = texts[name];
  const next = isOver && RETRIES.includes(usual) ? 'startAgain' : usual;
  const advice = nextTexts[next][parties ? 'withName' : 'withoutName'];
  const again = html`<p class="act"><a href="${retryUrl}">${say(smallTexts.tryAgain)}</a></p>`;
  const details = html`<details><summary>${say(smallTexts.forDevelopers)}</summary><p lang="en">${message}</p></details>`;
  return page(
    name === 'notAllowed' ? 'apart' : 'failed',
    title,
    html`<p class="lead">${say(what)}</p>
${name === 'otherPerson' ? account() : html``}
<p class="lead">${say(advice)}</p>
${RETRIES.includes(next) ? again : html``}
${administratorUrl === undefined ? html`` : addressFor(administratorUrl, say)}
<footer>${say(smallTexts.request)}: <code>${requestId}</code>
${next === 'contactSupport' ? details : html``}</footer>`,
    failure.outcome,
  );
}
