/** Languages of the connect pages. The first one is the default. */
export const LANGUAGES = ['en', 'de'] as const;

export type Language = (typeof LANGUAGES)[number];

/** Text with the placeholders {application}, {service} (the upstream) and {identifier} (the user). */
export type Text = Readonly<Record<Language, string>>;

export const connectTexts = {
  title: { en: 'Connect {service}', de: '{service} verbinden' },
  question: {
    en: '{application} asks for access to a {service} account. It will be linked to its user {identifier}.',
    de: '{application} bittet um Zugriff auf ein Konto bei {service}. Es wird mit der Person {identifier} verknüpft.',
  },
  permissions: { en: '{application} may then', de: '{application} darf dann' },
  scope: { en: 'Use the permission “{scope}”', de: 'Die Berechtigung „{scope}“ nutzen' },
  next: { en: 'What happens next', de: 'Wie es weitergeht' },
  goThere: {
    en: 'You go to {service} and sign in there. {application} never sees your password.',
    de: 'Sie kommen zu {service} und melden sich dort an. {application} sieht Ihr Passwort nie.',
  },
  agreeThere: {
    en: '{service} asks you whether you agree.',
    de: '{service} fragt Sie, ob Sie zustimmen.',
  },
  comeBack: {
    en: 'You come back, and it is connected.',
    de: 'Sie kommen zurück, und die Verbindung steht.',
  },
  takeBack: {
    en: 'You can take this back at any time: in {application}, or in the settings of your {service} account.',
    de: 'Sie können das jederzeit zurücknehmen: in {application} oder in den Einstellungen Ihres Kontos bei {service}.',
  },
  caution: {
    en: 'Continue only if you came here from {application} and {identifier} is you. Whoever sent you this link will be able to use what you approve.',
    de: 'Fahren Sie nur fort, wenn Sie von {application} hierher kamen und {identifier} wirklich Sie sind. Wer Ihnen diesen Link geschickt hat, kann nutzen, was Sie erlauben.',
  },
  allow: { en: 'Continue to {service}', de: 'Weiter zu {service}' },
  deny: { en: 'Cancel', de: 'Abbrechen' },
} as const satisfies Record<string, Text>;

export const connectedTexts = {
  title: { en: '{service} is connected', de: '{service} ist verbunden' },
  what: {
    en: '{application} can now use {service} for {identifier}.',
    de: '{application} kann {service} jetzt für {identifier} nutzen.',
  },
} as const satisfies Record<string, Text>;

export const cancelledTexts = {
  title: { en: 'Nothing was connected', de: 'Es wurde nichts verbunden' },
  what: {
    en: 'You cancelled, so {application} got no access to {service}.',
    de: 'Sie haben abgebrochen, also hat {application} keinen Zugriff auf {service}.',
  },
  changedYourMind: { en: 'Look at the question again', de: 'Die Frage noch einmal ansehen' },
} as const satisfies Record<string, Text>;

/** Advice for the user, by whether the page can name the application. */
export const nextTexts = {
  close: {
    named: {
      en: 'You can close this window and go on in {application}.',
      de: 'Sie können dieses Fenster schließen und in {application} weitermachen.',
    },
    unnamed: { en: 'You can close this window.', de: 'Sie können dieses Fenster schließen.' },
  },
  startAgain: {
    named: {
      en: 'Go back to {application} and start again there: it gives you a new link.',
      de: 'Gehen Sie zurück zu {application} und beginnen Sie dort von vorn: Sie bekommen einen neuen Link.',
    },
    unnamed: {
      en: 'Go back to the application that sent you here and start again there: it gives you a new link.',
      de: 'Gehen Sie zurück zu der Anwendung, die Sie hierher geschickt hat, und beginnen Sie dort von vorn: Sie bekommen einen neuen Link.',
    },
  },
  tellThem: {
    named: {
      en: 'You cannot mend this yourself. Tell the people behind {application}, and give them the number below.',
      de: 'Sie selbst können das nicht beheben. Sagen Sie es den Leuten hinter {application} und nennen Sie die Nummer unten.',
    },
    unnamed: {
      en: 'You cannot mend this yourself. Tell the people behind the application that sent you here, and give them the number below.',
      de: 'Sie selbst können das nicht beheben. Sagen Sie es den Leuten hinter der Anwendung, die Sie hierher geschickt hat, und nennen Sie die Nummer unten.',
    },
  },
  tryAgain: {
    named: {
      en: 'Wait a minute, then try again. If it stays so, tell the people behind {application} the number below.',
      de: 'Warten Sie eine Minute und versuchen Sie es noch einmal. Bleibt es dabei, nennen Sie den Leuten hinter {application} die Nummer unten.',
    },
    unnamed: {
      en: 'Wait a minute, then try again. If it stays so, tell the people behind the application the number below.',
      de: 'Warten Sie eine Minute und versuchen Sie es noch einmal. Bleibt es dabei, nennen Sie den Leuten hinter der Anwendung die Nummer unten.',
    },
  },
} as const satisfies Record<string, { readonly named: Text; readonly unnamed: Text }>;

export const smallTexts = {
  tryAgain: { en: 'Try again', de: 'Noch einmal versuchen' },
  request: { en: 'Number of this request', de: 'Nummer dieser Anfrage' },
  forDevelopers: { en: 'For the developer', de: 'Für die Entwicklung' },
} as const satisfies Record<string, Text>;

export interface Problem {
  readonly title: Text;
  readonly what: Text;
  readonly next: keyof typeof nextTexts;
}

const upstreamAway = {
  title: { en: 'The other side does not answer', de: 'Die andere Seite antwortet nicht' },
  what: {
    en: 'The approval could not be completed, because the service that you want to connect is not available at the moment. Nothing was connected.',
    de: 'Der Dienst, den Sie verbinden wollen, ist gerade nicht zu erreichen. Es wurde nichts verbunden.',
  },
};

export const problemTexts = {
  linkUnknown: {
    title: { en: 'This link is not known', de: 'Diesen Link gibt es nicht' },
    what: {
      en: 'Perhaps a part of it was lost when it was copied, or it was made for something that is gone.',
      de: 'Vielleicht ging beim Kopieren ein Teil verloren, oder er gehört zu etwas, das es nicht mehr gibt.',
    },
    next: 'startAgain',
  },
  linkExpired: {
    title: { en: 'This link has expired', de: 'Dieser Link ist abgelaufen' },
    what: {
      en: 'For your safety a link works for half an hour. Nothing was connected.',
      de: 'Zu Ihrer Sicherheit gilt ein Link eine halbe Stunde. Es wurde nichts verbunden.',
    },
    next: 'startAgain',
  },
  linkUsed: {
    title: { en: 'This link has been used already', de: 'Dieser Link wurde schon benutzt' },
    what: {
      en: 'A link works once. If you saw that it is connected, nothing is left to do; if not, it takes a new link.',
      de: 'Ein Link gilt einmal. Haben Sie gesehen, dass die Verbindung steht, dann ist nichts mehr zu tun; sonst braucht es einen neuen Link.',
    },
    next: 'startAgain',
  },
  approvalUsed: {
    title: { en: 'This step is done already', de: 'Dieser Schritt ist schon getan' },
    what: {
      en: 'This page works once. If you saw that it is connected, nothing is left to do; if not, it takes a new link.',
      de: 'Diese Seite gilt einmal. Haben Sie gesehen, dass die Verbindung steht, dann ist nichts mehr zu tun; sonst braucht es einen neuen Link.',
    },
    next: 'startAgain',
  },
  approvalExpired: {
    title: { en: 'That took too long', de: 'Das hat zu lange gedauert' },
    what: {
      en: 'For your safety you have ten minutes to sign in and agree. Nothing was connected.',
      de: 'Zu Ihrer Sicherheit haben Sie zehn Minuten, um sich anzumelden und zuzustimmen. Es wurde nichts verbunden.',
    },
    next: 'startAgain',
  },
  approvalOver: {
    title: { en: 'This approval is over', de: 'Diese Zustimmung gilt nicht mehr' },
    what: {
      en: 'It does not belong to anything that was begun here a short while ago. Nothing was connected.',
      de: 'Sie gehört zu nichts, was hier vor Kurzem begonnen wurde. Es wurde nichts verbunden.',
    },
    next: 'startAgain',
  },
  otherBrowser: {
    title: { en: 'This was begun in another browser', de: 'Das wurde in einem anderen Browser begonnen' },
    what: {
      en: 'You have to come back in the browser in which you began, and it has to allow cookies. Nothing was connected.',
      de: 'Sie müssen in dem Browser zurückkommen, in dem Sie begonnen haben, und er muss Cookies erlauben. Es wurde nichts verbunden.',
    },
    next: 'startAgain',
  },
  otherSite: {
    title: { en: 'This came from another site', de: 'Das kam von einer anderen Website' },
    what: {
      en: 'Another site tried to agree in your place. Nothing was connected.',
      de: 'Eine andere Website wollte an Ihrer Stelle zustimmen. Es wurde nichts verbunden.',
    },
    next: 'startAgain',
  },
  otherSiteDecided: {
    title: { en: 'This came from another site', de: 'Das kam von einer anderen Website' },
    what: {
      en: 'Another site tried to decide in your place. Nothing was decided.',
      de: 'Eine andere Website wollte an Ihrer Stelle entscheiden. Es wurde nichts entschieden.',
    },
    next: 'close',
  },
  noCookie: {
    title: { en: 'Your browser sent no cookie', de: 'Ihr Browser hat kein Cookie gesendet' },
    what: {
      en: 'A cookie shows that you are still the same person on the way back. Allow cookies for this site. Nothing was connected.',
      de: 'Ein Cookie zeigt auf dem Rückweg, dass Sie noch dieselbe Person sind. Erlauben Sie Cookies für diese Website. Es wurde nichts verbunden.',
    },
    next: 'tryAgain',
  },
  otherPerson: {
    title: { en: 'That was another account', de: 'Das war ein anderes Konto' },
    what: {
      en: '{identifier} is connected as another user of {service}, and that stays so. Sign in to {service} with the account that you used before, or ask {application} for a link that replaces it.',
      de: '{identifier} ist mit einem anderen Konto bei {service} verbunden, und dabei bleibt es. Melden Sie sich bei {service} mit dem Konto von damals an, oder bitten Sie {application} um einen Link, der es ersetzt.',
    },
    next: 'startAgain',
  },
  otherIdentifier: {
    title: { en: 'This link was for somebody else', de: 'Dieser Link war für jemand anderen' },
    what: {
      en: 'You are signed in to the application as another person than the one whom the link was made for. What you allowed was taken back, and nothing was connected.',
      de: 'Sie sind in der Anwendung als eine andere Person angemeldet als die, für die der Link gemacht wurde. Was Sie erlaubt haben, wurde zurückgenommen, und es wurde nichts verbunden.',
    },
    next: 'startAgain',
  },
  notAllowed: {
    title: { en: 'You did not agree', de: 'Sie haben nicht zugestimmt' },
    what: {
      en: 'The access was not granted, so nothing was connected.',
      de: 'Der Zugriff wurde nicht erlaubt, also wurde nichts verbunden.',
    },
    next: 'close',
  },
  upstreamRefused: {
    title: { en: 'The other side did not finish it', de: 'Die andere Seite hat es nicht abgeschlossen' },
    what: {
      en: 'The approval could not be completed with the service that you signed in to. Nothing was connected.',
      de: 'Die Verbindung mit dem Dienst, bei dem Sie sich angemeldet haben, kam nicht zustande. Es wurde nichts verbunden.',
    },
    next: 'startAgain',
  },
  /** `upstreamAway`: the link is still unused. `upstreamLeft`: it was used. */
  upstreamAway: { ...upstreamAway, next: 'tryAgain' },
  upstreamLeft: { ...upstreamAway, next: 'startAgain' },
  changed: {
    title: { en: 'Something changed meanwhile', de: 'Inzwischen hat sich etwas geändert' },
    what: {
      en: 'The connection was changed while you were away. Nothing was connected.',
      de: 'Die Verbindung wurde geändert, während Sie weg waren. Es wurde nichts verbunden.',
    },
    next: 'startAgain',
  },
  notSetUp: {
    title: { en: 'This is not set up yet', de: 'Das ist noch nicht eingerichtet' },
    what: {
      en: 'The application has not been set up correctly for this connection. Nothing was connected.',
      de: 'Die Anwendung ist für diese Verbindung nicht richtig eingerichtet. Es wurde nichts verbunden.',
    },
    next: 'tellThem',
  },
  tooMany: {
    title: { en: 'One moment, please', de: 'Einen Moment bitte' },
    what: {
      en: 'Too many requests came from your network within a short time.',
      de: 'Aus Ihrem Netz kamen in kurzer Zeit zu viele Anfragen.',
    },
    next: 'tryAgain',
  },
  away: {
    title: { en: 'Not available at the moment', de: 'Gerade nicht erreichbar' },
    what: {
      en: 'We have a problem on our side. It is not because of you.',
      de: 'Wir haben eine Störung. Es liegt nicht an Ihnen.',
    },
    next: 'tryAgain',
  },
  failed: {
    title: { en: 'This did not work', de: 'Das hat nicht geklappt' },
    what: {
      en: 'Something went wrong on our side. It is not because of you.',
      de: 'Bei uns ging etwas schief. Es liegt nicht an Ihnen.',
    },
    next: 'tryAgain',
  },
} as const satisfies Record<string, Problem>;

export type ProblemName = keyof typeof problemTexts;
