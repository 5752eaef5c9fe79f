import type { LinkResult } from '../../authorization/link-results.js';
import type { Text } from './connect-texts.js';

const SIGN_IN_AGAIN = {
  en: 'Go back to the program in which you started, and start the sign-in again.',
  de: 'Gehen Sie zurück zu dem Programm, in dem Sie begonnen haben, und starten Sie die Anmeldung noch einmal.',
};

/** Texts that advise the user what to do next. `withName` is used if the page knows the name of the application. */
export const nextTexts = {
  close: {
    withName: {
      en: 'You can close this window and continue in {application}.',
      de: 'Sie können dieses Fenster schließen und in {application} weitermachen.',
    },
    withoutName: { en: 'You can close this window.', de: 'Sie können dieses Fenster schließen.' },
  },
  startAgain: {
    withName: {
      en: 'Go back to {application} and start again. {application} gives you a new link.',
      de: 'Gehen Sie zurück zu {application} und beginnen Sie von vorn. Dort bekommen Sie einen neuen Link.',
    },
    withoutName: {
      en: 'Go back to the application that sent you to this page and start again. The application gives you a new link.',
      de: 'Gehen Sie zurück zu der Anwendung, von der Sie kommen, und beginnen Sie von vorn. Dort bekommen Sie einen neuen Link.',
    },
  },
  startSignInAgain: { withName: SIGN_IN_AGAIN, withoutName: SIGN_IN_AGAIN },
  contactSupport: {
    withName: {
      en: 'You cannot fix this problem yourself. Contact the support of {application} and give them the request number on this page.',
      de: 'Sie können dieses Problem nicht selbst beheben. Wenden Sie sich an den Support von {application} und nennen Sie die Vorgangsnummer auf dieser Seite.',
    },
    withoutName: {
      en: 'You cannot fix this problem yourself. Contact the support of the application that sent you to this page and give them the request number on this page.',
      de: 'Sie können dieses Problem nicht selbst beheben. Wenden Sie sich an den Support der Anwendung, von der Sie kommen, und nennen Sie die Vorgangsnummer auf dieser Seite.',
    },
  },
  tryAgain: {
    withName: {
      en: 'Wait a minute, then try again. If the page still fails, give the request number on this page to the support of {application}.',
      de: 'Warten Sie eine Minute und versuchen Sie es noch einmal. Klappt es weiterhin nicht, nennen Sie dem Support von {application} die Vorgangsnummer auf dieser Seite.',
    },
    withoutName: {
      en: 'Wait a minute, then try again. If the page still fails, give the request number on this page to the support of the application.',
      de: 'Warten Sie eine Minute und versuchen Sie es noch einmal. Klappt es weiterhin nicht, nennen Sie dem Support der Anwendung die Vorgangsnummer auf dieser Seite.',
    },
  },
  thenTryAgain: {
    withName: {
      en: 'Then try again. If the page still fails, give the request number on this page to the support of {application}.',
      de: 'Versuchen Sie es danach noch einmal. Klappt es weiterhin nicht, nennen Sie dem Support von {application} die Vorgangsnummer auf dieser Seite.',
    },
    withoutName: {
      en: 'Then try again. If the page still fails, give the request number on this page to the support of the application.',
      de: 'Versuchen Sie es danach noch einmal. Klappt es weiterhin nicht, nennen Sie dem Support der Anwendung die Vorgangsnummer auf dieser Seite.',
    },
  },
} as const satisfies Record<string, { readonly withName: Text; readonly withoutName: Text }>;

/** Texts of a page that shows the result of an authorization link. `next`: the user's next step. */
interface Result {
  readonly title: Text;
  readonly what: Text;
  readonly next: Text;
}

/** Texts of a page that shows a problem. `next`: the user's next step, a key of `nextTexts`. */
interface Ending {
  readonly title: Text;
  readonly what: Text;
  readonly next: keyof typeof nextTexts;
}

/** Sentence before the list of the permissions that the user left out at the consent. */
export const deniedText = {
  en: 'You did not allow the following, so some functions of {application} may not work.',
  de: 'Folgendes haben Sie nicht erlaubt. Deshalb funktioniert {application} möglicherweise nicht vollständig.',
};

/**
 * Texts of the page with the result of an authorization link, which works only once. Only the browser that used the
 * link sees this page.
 */
export const resultTexts = {
  connected: {
    title: { en: '{service} is connected', de: '{service} ist verbunden' },
    what: {
      en: 'You connected {service} on {time}. {application} can use {service} for {identifier}.',
      de: 'Sie haben {service} am {time} verbunden. {application} kann {service} für {identifier} nutzen.',
    },
    next: nextTexts.close.withName,
  },
  ended: {
    title: { en: 'The access has ended', de: 'Der Zugriff ist beendet' },
    what: {
      en: 'You connected {service} on {time}. {application} no longer has access.',
      de: 'Sie haben {service} am {time} verbunden. {application} hat keinen Zugriff mehr.',
    },
    next: {
      en: 'To connect {service} again, go back to {application} and start again.',
      de: 'Um {service} wieder zu verbinden, gehen Sie zurück zu {application} und beginnen Sie von vorn.',
    },
  },
  verifying: {
    title: { en: 'One step is missing', de: 'Ein Schritt fehlt noch' },
    what: {
      en: 'You allowed access to {service} on {time}. {application} must still confirm that you are {identifier}.',
      de: 'Sie haben am {time} den Zugriff auf {service} erlaubt. {application} muss noch bestätigen, dass Sie {identifier} sind.',
    },
    next: {
      en: 'Go back to {application} to finish.',
      de: 'Gehen Sie zurück zu {application}, um den Vorgang abzuschließen.',
    },
  },
  open: {
    title: { en: 'The connection is not finished', de: 'Die Verbindung ist noch nicht abgeschlossen' },
    what: {
      en: 'You started on {time}. Finish the sign-in at {service}. If you have just finished the sign-in, check again in a few seconds.',
      de: 'Sie haben am {time} begonnen. Schließen Sie die Anmeldung bei {service} ab. Wenn Sie die Anmeldung gerade abgeschlossen haben, prüfen Sie den Stand in einigen Sekunden noch einmal.',
    },
    next: {
      en: 'If you cannot finish the sign-in, go back to {application} and start again. {application} gives you a new link.',
      de: 'Wenn Sie die Anmeldung nicht abschließen können, gehen Sie zurück zu {application} und beginnen Sie von vorn. Dort bekommen Sie einen neuen Link.',
    },
  },
} as const satisfies Record<LinkResult['state'], Result>;

const upstreamAway = {
  title: { en: 'The service does not respond', de: 'Der Dienst antwortet nicht' },
  what: {
    en: 'The service that you want to connect is not available at the moment. No account was connected.',
    de: 'Der Dienst, den Sie verbinden wollen, ist gerade nicht erreichbar. Es wurde kein Konto verbunden.',
  },
};

/** Texts of the pages that say why no account was connected, or why a page failed. */
export const problemTexts = {
  linkUnknown: {
    title: { en: 'This link does not exist', de: 'Diesen Link gibt es nicht' },
    what: {
      en: 'A part of the link may be missing, or the account of the link was disconnected or deleted.',
      de: 'Vielleicht fehlt ein Teil des Links, oder das Konto zu diesem Link wurde getrennt oder gelöscht.',
    },
    next: 'startAgain',
  },
  approvalUnknown: {
    title: { en: 'This approval does not exist', de: 'Diese Genehmigung gibt es nicht' },
    what: {
      en: 'A part of the link may be missing, or the approval or its account was deleted. If the action is still needed, it must be requested again.',
      de: 'Vielleicht fehlt ein Teil des Links, oder die Genehmigung oder das zugehörige Konto wurde gelöscht. Wenn die Aktion noch gebraucht wird, muss sie neu angefordert werden.',
    },
    next: 'close',
  },
  linkExpired: {
    title: { en: 'This link has expired', de: 'Dieser Link ist abgelaufen' },
    what: {
      en: 'For your security, a link is valid for 30 minutes. No account was connected.',
      de: 'Zu Ihrer Sicherheit ist ein Link 30 Minuten gültig. Es wurde kein Konto verbunden.',
    },
    next: 'startAgain',
  },
  linkUsed: {
    title: { en: 'This link was already used', de: 'Dieser Link wurde bereits verwendet' },
    what: {
      en: 'A link works once. Only the browser that used the link can show the result. If you saw that the account is connected, you are done. If not, you need a new link.',
      de: 'Ein Link funktioniert nur einmal. Das Ergebnis sehen Sie nur in dem Browser, in dem er verwendet wurde. Wenn Sie gesehen haben, dass das Konto verbunden ist, sind Sie fertig. Sonst brauchen Sie einen neuen Link.',
    },
    next: 'startAgain',
  },
  decidedBefore: {
    title: { en: 'This step is already done', de: 'Dieser Schritt ist bereits erledigt' },
    what: {
      en: 'You have already signed in or made your decision on this page. This page works only once.',
      de: 'Sie haben sich auf dieser Seite bereits angemeldet oder entschieden. Diese Seite funktioniert nur einmal.',
    },
    next: 'startAgain',
  },
  notVerified: {
    title: { en: 'Your identity was not confirmed', de: 'Ihre Identität wurde nicht bestätigt' },
    what: {
      en: 'The application did not confirm within ten minutes who you are. Your consent was revoked, and no account was connected.',
      de: 'Die Anwendung hat nicht innerhalb von zehn Minuten bestätigt, wer Sie sind. Ihre Zustimmung wurde widerrufen, und es wurde kein Konto verbunden.',
    },
    next: 'startAgain',
  },
  approvalExpired: {
    title: { en: 'Your consent took too long', de: 'Ihre Zustimmung hat zu lange gedauert' },
    what: {
      en: 'For your security, you have ten minutes to sign in and consent. No account was connected.',
      de: 'Zu Ihrer Sicherheit haben Sie zehn Minuten, um sich anzumelden und zuzustimmen. Es wurde kein Konto verbunden.',
    },
    next: 'startAgain',
  },
  approvalOver: {
    title: { en: 'This consent is no longer valid', de: 'Diese Zustimmung gilt nicht mehr' },
    what: {
      en: 'The consent took too long, or you did not start it on this site. This step connected no account.',
      de: 'Die Zustimmung hat zu lange gedauert, oder Sie haben sie nicht auf dieser Website begonnen. In diesem Schritt wurde kein Konto verbunden.',
    },
    next: 'startAgain',
  },
  otherBrowser: {
    title: {
      en: 'You started in another browser',
      de: 'Sie haben in einem anderen Browser begonnen',
    },
    what: {
      en: 'This step needs the browser in which you opened the link, with cookies allowed. Use one browser for all steps. No account was connected.',
      de: 'Für diesen Schritt brauchen Sie den Browser, in dem Sie den Link geöffnet haben, und er muss Cookies zulassen. Verwenden Sie für alle Schritte denselben Browser. Es wurde kein Konto verbunden.',
    },
    next: 'startAgain',
  },
  otherSite: {
    title: { en: 'This request came from another site', de: 'Diese Anfrage kam von einer anderen Website' },
    what: {
      en: 'Another site tried to consent for you. No account was connected.',
      de: 'Eine andere Website wollte an Ihrer Stelle zustimmen. Es wurde kein Konto verbunden.',
    },
    next: 'startAgain',
  },
  otherSiteDecided: {
    title: { en: 'This request came from another site', de: 'Diese Anfrage kam von einer anderen Website' },
    what: {
      en: 'Another site tried to decide for you. No decision was made.',
      de: 'Eine andere Website wollte an Ihrer Stelle entscheiden. Es wurde nichts entschieden.',
    },
    next: 'close',
  },
  noCookie: {
    title: { en: 'Your browser sent no cookie', de: 'Ihr Browser hat kein Cookie gesendet' },
    what: {
      en: 'No account was connected, because this site needs a cookie to recognize you when you return. Allow cookies for this site.',
      de: 'Es wurde kein Konto verbunden, weil diese Website ein Cookie braucht, um Sie nach der Rückkehr zu erkennen. Erlauben Sie Cookies für diese Website.',
    },
    next: 'thenTryAgain',
  },
  otherPerson: {
    title: {
      en: 'You signed in with another account',
      de: 'Sie haben sich mit einem anderen Konto angemeldet',
    },
    what: {
      en: '{identifier} stays connected with another {service} account. Sign in to {service} with the connected account, or ask {application} for a link that replaces the connected account.',
      de: '{identifier} bleibt mit einem anderen Konto bei {service} verbunden. Melden Sie sich bei {service} mit dem verbundenen Konto an, oder bitten Sie {application} um einen Link, der das verbundene Konto ersetzt.',
    },
    next: 'startAgain',
  },
  otherIdentifier: {
    title: { en: 'This link was for another user', de: 'Dieser Link war für jemand anderen' },
    what: {
      en: 'You are signed in to the application as another user. Your consent was revoked, and no account was connected.',
      de: 'Sie sind in der Anwendung als eine andere Person angemeldet. Ihre Zustimmung wurde widerrufen, und es wurde kein Konto verbunden.',
    },
    next: 'startAgain',
  },
  notAllowed: {
    title: { en: 'You did not consent', de: 'Sie haben nicht zugestimmt' },
    what: {
      en: 'You granted no access, so no account was connected.',
      de: 'Sie haben keinen Zugriff erlaubt. Es wurde kein Konto verbunden.',
    },
    next: 'close',
  },
  refusedByAdministrator: {
    title: {
      en: 'Your organization does not allow this connection',
      de: 'Ihre Organisation erlaubt diese Verbindung nicht',
    },
    what: {
      en: 'An administrator of your organization must first allow this application at the service to which you signed in. No account was connected.',
      de: 'Die IT-Administration Ihrer Organisation muss diese Anwendung zuerst bei dem Dienst freigeben, bei dem Sie sich angemeldet haben. Es wurde kein Konto verbunden.',
    },
    next: 'startAgain',
  },
  administratorConsent: {
    title: {
      en: 'Your administrator must agree first',
      de: 'Zuerst muss Ihre IT-Administration zustimmen',
    },
    what: {
      en: 'Your organization lets only an administrator agree to this access. No account was connected. Ask an administrator to agree for your organization.',
      de: 'In Ihrer Organisation darf nur die IT-Administration diesem Zugriff zustimmen. Es wurde kein Konto verbunden. Bitten Sie Ihre IT-Administration, für die Organisation zuzustimmen.',
    },
    next: 'startAgain',
  },
  administratorReturned: {
    title: {
      en: 'You decided for your organization',
      de: 'Sie haben für Ihre Organisation entschieden',
    },
    what: {
      en: 'If you agreed as an administrator, the users of your organization can now connect their accounts. This step itself connected no account.',
      de: 'Wenn Sie als Administrator oder Administratorin zugestimmt haben, können die Mitglieder Ihrer Organisation jetzt ihre Konten verbinden. In diesem Schritt wurde noch kein Konto verbunden.',
    },
    next: 'close',
  },
  invalidScope: {
    title: {
      en: 'A requested permission is not available',
      de: 'Eine angeforderte Berechtigung ist nicht verfügbar',
    },
    what: {
      en: 'The application requests a permission that the service does not grant to the application. No account was connected.',
      de: 'Die Anwendung fordert eine Berechtigung an, die der Dienst ihr nicht gewährt. Es wurde kein Konto verbunden.',
    },
    next: 'contactSupport',
  },
  clientNotAllowed: {
    title: {
      en: 'The service does not accept this application',
      de: 'Der Dienst lässt diese Anwendung nicht zu',
    },
    what: {
      en: 'The registration of the application at the service does not allow this kind of connection. No account was connected.',
      de: 'Die Registrierung der Anwendung beim Dienst lässt diese Art der Verbindung nicht zu. Es wurde kein Konto verbunden.',
    },
    next: 'contactSupport',
  },
  upstreamBusy: {
    title: { en: 'The service has a problem', de: 'Beim Dienst gibt es eine Störung' },
    what: {
      en: 'The service to which you signed in had a temporary failure. You did nothing wrong. No account was connected. Wait a few minutes before the next attempt.',
      de: 'Der Dienst, bei dem Sie sich angemeldet haben, hatte eine vorübergehende Störung. Sie haben nichts falsch gemacht. Es wurde kein Konto verbunden. Warten Sie vor dem nächsten Versuch einige Minuten.',
    },
    next: 'startAgain',
  },
  upstreamRefused: {
    title: { en: 'The service refused the connection', de: 'Der Dienst hat die Verbindung abgelehnt' },
    what: {
      en: 'The service to which you signed in did not complete the connection. No account was connected.',
      de: 'Der Dienst, bei dem Sie sich angemeldet haben, hat die Verbindung nicht abgeschlossen. Es wurde kein Konto verbunden.',
    },
    next: 'startAgain',
  },
  /**
   * Problems of a user whose upstream does not respond. `upstreamAway`: the one-time authorization link is not used
   * yet, so the user can try again. `upstreamLeft`: the link is used up, so the user needs a new link.
   */
  upstreamAway: { ...upstreamAway, next: 'tryAgain' },
  upstreamLeft: { ...upstreamAway, next: 'startAgain' },
  changed: {
    title: { en: 'The connection has changed', de: 'Die Verbindung hat sich geändert' },
    what: {
      en: 'The settings of the connection were changed while you signed in. No account was connected.',
      de: 'Die Einstellungen der Verbindung wurden geändert, während Sie sich angemeldet haben. Es wurde kein Konto verbunden.',
    },
    next: 'startAgain',
  },
  notSetUp: {
    title: { en: 'This connection is not set up', de: 'Diese Verbindung ist nicht eingerichtet' },
    what: {
      en: 'The settings of the application for this connection are incomplete or wrong. No account was connected.',
      de: 'Die Einstellungen der Anwendung für diese Verbindung sind unvollständig oder falsch. Es wurde kein Konto verbunden.',
    },
    next: 'contactSupport',
  },
  tooMany: {
    title: { en: 'Too many requests', de: 'Zu viele Anfragen' },
    what: {
      en: 'Your network sent too many requests within a short time.',
      de: 'Aus Ihrem Netzwerk kamen in kurzer Zeit zu viele Anfragen.',
    },
    next: 'tryAgain',
  },
  tooManyKeys: {
    title: { en: 'Too many wrong keys', de: 'Zu viele falsche Schlüssel' },
    what: {
      en: 'Several keys were refused within a minute, so the last key was not tried. Nothing was stored.',
      de: 'Innerhalb einer Minute wurden mehrere Schlüssel abgelehnt. Der letzte Schlüssel wurde deshalb nicht geprüft. Es wurde nichts gespeichert.',
    },
    next: 'tryAgain',
  },
  away: {
    title: {
      en: 'This site is not available at the moment',
      de: 'Diese Website ist gerade nicht erreichbar',
    },
    what: {
      en: 'This site has a problem. You did nothing wrong.',
      de: 'Auf dieser Website gibt es gerade eine Störung. Sie haben nichts falsch gemacht.',
    },
    next: 'tryAgain',
  },
  failed: {
    title: { en: 'This page did not work', de: 'Diese Seite hat nicht funktioniert' },
    what: {
      en: 'An error occurred on this site. You did nothing wrong.',
      de: 'Auf dieser Website ist ein Fehler aufgetreten. Sie haben nichts falsch gemacht.',
    },
    next: 'tryAgain',
  },
} as const satisfies Record<string, Ending>;

export type ProblemName = keyof typeof problemTexts;

/** Texts of all problem pages of one flow. */
export type ProblemTexts = Readonly<Record<ProblemName, Ending>>;
