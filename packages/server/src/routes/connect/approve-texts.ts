import type { CallApprovalStatus } from '../../names/approval-statuses.js';
import type { Text } from './connect-texts.js';

/** Texts of the page on which a person approves or denies a tool call. */
export const approveTexts = {
  title: { en: 'Approve this action?', de: 'Diese Aktion genehmigen?' },
  question: {
    en: '{application} wants to run this action at {service} for {identifier}:',
    de: '{application} möchte für {identifier} diese Aktion bei {service} ausführen:',
  },
  byToken: {
    en: 'A program with access through {application}, such as an assistant, requested this action.',
    de: 'Ein Programm mit Zugriff über {application}, zum Beispiel ein Assistent, hat diese Aktion angefordert.',
  },
  everything: { en: 'All details of the action', de: 'Alle Angaben zur Aktion' },
  until: { en: 'You can decide until {until}.', de: 'Sie können bis zum {until} entscheiden.' },
  caution: {
    en: 'Approve this action only if you expected it. The action runs once, exactly as shown on this page. If you did not expect the action, deny it.',
    de: 'Genehmigen Sie diese Aktion nur, wenn Sie sie erwartet haben. Die Aktion wird einmal ausgeführt, genau wie auf dieser Seite gezeigt. Wenn Sie die Aktion nicht erwartet haben, lehnen Sie sie ab.',
  },
  reason: {
    en: 'Reason for your decision (optional). {application} can read the reason.',
    de: 'Begründung Ihrer Entscheidung (kann leer bleiben). {application} kann sie lesen.',
  },
  allow: { en: 'Approve', de: 'Genehmigen' },
  deny: { en: 'Deny', de: 'Ablehnen' },
} as const satisfies Record<string, Text>;

const DONE = {
  title: { en: 'You approved the action', de: 'Sie haben die Aktion genehmigt' },
  what: {
    en: 'The action runs once, if {application} repeats the request within 30 minutes.',
    de: 'Die Aktion wird einmal ausgeführt, wenn {application} die Anfrage innerhalb von 30 Minuten wiederholt.',
  },
};

const BEGUN = {
  title: { en: 'This action was approved', de: 'Diese Aktion wurde genehmigt' },
  what: { en: 'The action has run or is running.', de: 'Die Aktion wurde ausgeführt oder läuft gerade.' },
};

/** Titles and texts of the page for a tool call that is no longer pending, by the status of the call. */
export const outcomeTexts = {
  approved: DONE,
  running: BEGUN,
  executed: BEGUN,
  denied: {
    title: { en: 'This action was denied', de: 'Diese Aktion wurde abgelehnt' },
    what: {
      en: 'The action does not run, and {application} learns that the action was denied.',
      de: 'Die Aktion wird nicht ausgeführt, und {application} erfährt von der Ablehnung.',
    },
  },
  expired: {
    title: { en: 'This action has expired', de: 'Die Frist für diese Aktion ist abgelaufen' },
    what: {
      en: 'Nobody approved the action in time, or the application did not repeat the request in time. The action does not run.',
      de: 'Niemand hat die Aktion rechtzeitig genehmigt, oder die Anwendung hat die Anfrage nicht rechtzeitig wiederholt. Die Aktion wird nicht ausgeführt.',
    },
  },
  interrupted: {
    title: { en: 'This action was interrupted', de: 'Diese Aktion wurde unterbrochen' },
    what: {
      en: 'The action had started, and its result is unknown. Check in {service} whether the action took effect.',
      de: 'Die Aktion hatte begonnen, aber ihr Ergebnis ist unbekannt. Sehen Sie bei {service} nach, ob die Aktion ausgeführt wurde.',
    },
  },
} as const satisfies Record<
  Exclude<CallApprovalStatus, 'pending'>,
  { readonly title: Text; readonly what: Text }
>;
