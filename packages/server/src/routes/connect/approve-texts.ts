import type { CallApprovalStatus } from '../../names/approval-statuses.js';
import type { Text } from './connect-texts.js';

/** Texts of the page on which one person decides about one call. */
export const approveTexts = {
  title: { en: 'May this happen?', de: 'Darf das geschehen?' },
  question: {
    en: '{application} wants to do this with {service} for {identifier}:',
    de: '{application} möchte das mit {service} für {identifier} tun:',
  },
  byToken: {
    en: 'An assistant that works with a permission of {application} asks for it.',
    de: 'Darum bittet ein Assistent, der mit einer Erlaubnis von {application} arbeitet.',
  },
  everything: { en: 'Everything that it is given', de: 'Alles, was dabei übergeben wird' },
  until: { en: 'You can decide until {until}.', de: 'Sie können bis {until} entscheiden.' },
  caution: {
    en: 'Agree only if you expected this. It happens once, exactly as it stands here. If it surprises you, refuse.',
    de: 'Stimmen Sie nur zu, wenn Sie das erwartet haben. Es geschieht einmal, genau so, wie es hier steht. Überrascht es Sie, lehnen Sie ab.',
  },
  reason: {
    en: 'A reason, which whoever asked gets to read (not needed)',
    de: 'Ein Grund, den zu lesen bekommt, wer gefragt hat (nicht nötig)',
  },
  allow: { en: 'Agree', de: 'Zustimmen' },
  deny: { en: 'Refuse', de: 'Ablehnen' },
} as const satisfies Record<string, Text>;

const DONE = {
  title: { en: 'You agreed', de: 'Sie haben zugestimmt' },
  what: {
    en: 'It happens once, when {application} asks for it again within half an hour.',
    de: 'Es geschieht einmal, sobald {application} innerhalb einer halben Stunde noch einmal darum bittet.',
  },
};

const BEGUN = {
  title: { en: 'This was agreed to', de: 'Dem wurde zugestimmt' },
  what: { en: 'It has happened, or is happening.', de: 'Es ist geschehen oder geschieht gerade.' },
};

/** Texts of a call that no longer waits, by its status. */
export const outcomeTexts = {
  approved: DONE,
  running: BEGUN,
  executed: BEGUN,
  denied: {
    title: { en: 'This was refused', de: 'Das wurde abgelehnt' },
    what: {
      en: 'It does not happen, and {application} is told so.',
      de: 'Es geschieht nicht, und {application} erfährt das.',
    },
  },
  expired: {
    title: { en: 'This came too late', de: 'Das kam zu spät' },
    what: {
      en: 'Nobody agreed in time, or it was not asked for again in time, so it does not happen.',
      de: 'Niemand hat rechtzeitig zugestimmt, oder es wurde nicht rechtzeitig noch einmal darum gebeten. Es geschieht also nicht.',
    },
  },
  interrupted: {
    title: { en: 'This was broken off', de: 'Das wurde abgebrochen' },
    what: {
      en: 'It had begun, and nobody here knows whether it happened. Have a look at {service}.',
      de: 'Es hatte begonnen, und niemand weiß hier, ob es geschehen ist. Sehen Sie bei {service} nach.',
    },
  },
} as const satisfies Record<
  Exclude<CallApprovalStatus, 'pending'>,
  { readonly title: Text; readonly what: Text }
>;
