import { type ProblemTexts, problemTexts } from '../connect/ending-texts.js';

const notSetUp = {
  title: { en: 'This sign-in is not set up', de: 'Diese Anmeldung ist nicht eingerichtet' },
  what: {
    en: 'The settings for the sign-in of this program are missing or wrong. The program got no access.',
    de: 'Die Anmeldung für dieses Programm ist nicht oder nicht richtig eingerichtet. Das Programm hat keinen Zugriff bekommen.',
  },
  next: 'contactSupport',
} as const;

const refusedByAdministrator = {
  title: {
    en: 'Your organization does not allow this sign-in',
    de: 'Ihre Organisation erlaubt diese Anmeldung nicht',
  },
  what: {
    en: 'An administrator of your organization must first allow the sign-in. The program got no access.',
    de: 'Die IT-Administration Ihrer Organisation muss die Anmeldung zuerst freigeben. Das Programm hat keinen Zugriff bekommen.',
  },
  next: 'startSignInAgain',
} as const;

const upstreamAway = {
  title: { en: 'The sign-in is not available', de: 'Die Anmeldung ist gerade nicht möglich' },
  what: {
    en: 'A site that the sign-in needs does not respond at the moment. The program got no access.',
    de: 'Eine Website, die für die Anmeldung gebraucht wird, antwortet gerade nicht. Das Programm hat keinen Zugriff bekommen.',
  },
};

/**
 * Texts of the pages that say why the sign-in of an MCP client failed. Problems without a text of their own here do not
 * depend on the flow, such as too many requests, or do not occur in a sign-in.
 */
export const signInProblemTexts = {
  ...problemTexts,
  linkUnknown: notSetUp,
  notSetUp,
  invalidScope: notSetUp,
  clientNotAllowed: notSetUp,
  decidedBefore: { ...problemTexts.decidedBefore, next: 'startSignInAgain' },
  approvalExpired: {
    title: { en: 'Your sign-in took too long', de: 'Ihre Anmeldung hat zu lange gedauert' },
    what: {
      en: 'For your security, you have ten minutes to sign in and decide. The program got no access.',
      de: 'Zu Ihrer Sicherheit haben Sie zehn Minuten, um sich anzumelden und zu entscheiden. Das Programm hat keinen Zugriff bekommen.',
    },
    next: 'startSignInAgain',
  },
  approvalOver: {
    title: { en: 'This sign-in is no longer valid', de: 'Diese Anmeldung gilt nicht mehr' },
    what: {
      en: 'The sign-in took too long, or its settings have changed. The program got no access.',
      de: 'Die Anmeldung hat zu lange gedauert, oder ihre Einstellungen haben sich geändert. Das Programm hat keinen Zugriff bekommen.',
    },
    next: 'startSignInAgain',
  },
  otherBrowser: {
    title: problemTexts.otherBrowser.title,
    what: {
      en: 'This step needs the browser in which you started the sign-in, with cookies allowed. Use one browser for all steps. The program got no access.',
      de: 'Für diesen Schritt brauchen Sie den Browser, in dem Sie die Anmeldung begonnen haben, und er muss Cookies zulassen. Verwenden Sie für alle Schritte denselben Browser. Das Programm hat keinen Zugriff bekommen.',
    },
    next: 'startSignInAgain',
  },
  notAllowed: {
    title: { en: 'You did not sign in', de: 'Sie haben sich nicht angemeldet' },
    what: {
      en: 'You cancelled the sign-in, so the program got no access.',
      de: 'Sie haben die Anmeldung abgebrochen. Das Programm hat keinen Zugriff bekommen.',
    },
    next: 'startSignInAgain',
  },
  refusedByAdministrator,
  administratorConsent: refusedByAdministrator,
  upstreamBusy: {
    title: { en: 'The sign-in has a problem', de: 'Bei der Anmeldung gibt es eine Störung' },
    what: {
      en: 'The site on which you signed in had a temporary failure. You did nothing wrong. The program got no access. Wait a few minutes before the next attempt.',
      de: 'Die Website, auf der Sie sich angemeldet haben, hatte eine vorübergehende Störung. Sie haben nichts falsch gemacht. Das Programm hat keinen Zugriff bekommen. Warten Sie vor dem nächsten Versuch einige Minuten.',
    },
    next: 'startSignInAgain',
  },
  upstreamRefused: {
    title: { en: 'The sign-in was refused', de: 'Die Anmeldung wurde abgelehnt' },
    what: {
      en: 'The site on which you signed in did not complete the sign-in. The program got no access.',
      de: 'Die Website, auf der Sie sich angemeldet haben, hat die Anmeldung nicht abgeschlossen. Das Programm hat keinen Zugriff bekommen.',
    },
    next: 'startSignInAgain',
  },
  upstreamAway: { ...upstreamAway, next: 'tryAgain' },
  upstreamLeft: { ...upstreamAway, next: 'startSignInAgain' },
} as const satisfies ProblemTexts;
