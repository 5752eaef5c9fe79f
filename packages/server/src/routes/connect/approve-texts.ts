import type { CallApprovalStatus } from '../../names/approval-statuses.js';
import type { Text } from './connect-texts.js';

/** Texts of the page on which a person approves or denies a tool call. */
export const approveTexts = {
  title: { en: 'Approve this action?', de: 'Diese Aktion genehmigen?' },
  question: {
    en: '{application} wants to do this with {service} for {identifier}:',
    de: '{application} möchte Folgendes für {identifier} bei {service} tun:',
  },
  byToken: {
    en: 'An assistant that has access through {application} requested it.',
    de: 'Ein Assistent, der über {application} Zugriff hat, hat darum gebeten.',
  },
  everything: { en: 'All data of the action', de: 'Alle Daten der Aktion' },
  until: { en: 'You can decide until {until}.', de: 'Sie können bis {until} entscheiden.' },
  caution: {
    en: 'Approve only if you expected this action. It runs once, exactly as shown. If it surprises you, refuse.',
    de: 'Genehmigen Sie die Aktion nur, wenn Sie sie erwartet haben. Sie wird einmal ausgeführt, genau wie hier gezeigt. Wenn sie Sie überrascht, lehnen Sie ab.',
  },
  reason: {
    en: 'Reason for the requester (optional)',
    de: 'Begründung für die anfragende Seite (optional)',
  },
  allow: { en: 'Approve', de: 'Genehmigen' },
  deny: { en: 'Refuse', de: 'Ablehnen' },
} as const satisfies Record<string, Text>;

const DONE = {
  title: { en: 'You approved the action', de: 'Sie haben die Aktion genehmigt' },
  what: {
    en: 'It runs once, when {application} repeats the request within 30 minutes.',
    de: 'Sie wird einmal ausgeführt, sobald {application} die Anfrage innerhalb von 30 Minuten wiederholt.',
  },
};

const BEGUN = {
  title: { en: 'This action was approved', de: 'Diese Aktion wurde genehmigt' },
  what: { en: 'It has run or is running.', de: 'Sie wurde ausgeführt oder läuft gerade.' },
};

/** Titles and texts of the page for a tool call that is no longer pending, by the status of the call. */
export const outcomeTexts = {
  approved: DONE,
  running: BEGUN,
  executed: BEGUN,
  denied: {
    title: { en: 'This action was refused', de: 'Diese Aktion wurde abgelehnt' },
    what: {
      en: 'It does not run, and {application} learns that it was refused.',
      de: 'Sie wird nicht ausgeführt, und {application} erfährt von der Ablehnung.',
    },
  },
  expired: {
    title: { en: 'This action has expired', de: 'Diese Aktion ist abgelaufen' },
    what: {
      en: 'Nobody approved it in time, or the request was not repeated in time. It does not run.',
      de: 'Niemand hat sie rechtzeitig genehmigt, oder die Anfrage wurde nicht rechtzeitig wiederholt. Sie wird nicht ausgeführt.',
    },
  },
  interrupted: {
    title: { en: 'This action was interrupted', de: 'Diese Aktion wurde unterbrochen' },
    what: {
      en: 'It had started, and we do not know whether it took effect. Check in {service}.',
      de: 'Sie hatte begonnen, und wir wissen nicht, ob sie ausgeführt wurde. Sehen Sie bei {service} nach.',
    },
  },
} as const satisfies Record<
  Exclude<CallApprovalStatus, 'pending'>,
  { readonly title: Text; readonly what: Text }
>;
