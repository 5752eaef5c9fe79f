/** Languages of the connect pages. The first language is the default. */
export const LANGUAGES = ['en', 'de'] as const;

export type Language = (typeof LANGUAGES)[number];

/**
 * Text with the placeholders {application}, {service} (the upstream), {identifier} (the user) and {account} (the user
 * at the upstream).
 */
export type Text = Readonly<Record<Language, string>>;

export const connectTexts = {
  title: { en: 'Connect {service}', de: '{service} verbinden' },
  question: {
    en: '{application} asks for access to a {service} account. {application} will use the account for the user {identifier}.',
    de: '{application} möchte auf ein Konto bei {service} zugreifen und es für {identifier} nutzen.',
  },
  permissions: {
    en: 'If you agree, {application} may do the following',
    de: 'Wenn Sie zustimmen, darf {application} Folgendes tun',
  },
  scope: { en: 'Use the permission “{scope}”', de: 'Die Berechtigung „{scope}“ nutzen' },
  next: { en: 'What happens next', de: 'Wie es weitergeht' },
  goThere: {
    en: '{service} opens, and you sign in to {service}. {application} never sees your password.',
    de: 'Sie werden zu {service} weitergeleitet und melden sich bei {service} an. {application} sieht Ihr Passwort nie.',
  },
  agreeThere: {
    en: '{service} asks for your consent.',
    de: '{service} bittet Sie um Ihre Zustimmung.',
  },
  comeBack: {
    en: 'You return here or to {application}, and the account is connected.',
    de: 'Sie kehren hierher oder zu {application} zurück, und das Konto ist verbunden.',
  },
  takeBack: {
    en: 'You can revoke the access at any time: in {application}, or in the settings of your {service} account.',
    de: 'Sie können den Zugriff jederzeit widerrufen: in {application} oder in den Einstellungen Ihres Kontos bei {service}.',
  },
  caution: {
    en: 'Continue only if you came here from {application} and you are {identifier}. If you continue in any other case, the person who sent you this link can use your account.',
    de: 'Fahren Sie nur fort, wenn Sie von {application} kommen und wirklich {identifier} sind. Andernfalls kann die Person, die Ihnen diesen Link geschickt hat, Ihr Konto nutzen.',
  },
  allow: { en: 'Continue to {service}', de: 'Weiter zu {service}' },
  deny: { en: 'Cancel', de: 'Abbrechen' },
} as const satisfies Record<string, Text>;

/** Texts of the form in which a user enters a key. */
export const keyTexts = {
  steps: { en: 'How to get the key', de: 'So bekommen Sie den Schlüssel' },
  apiKey: { en: 'API key', de: 'API-Schlüssel' },
  bearerToken: { en: 'API key or token', de: 'API-Schlüssel oder Token' },
  optional: { en: '{title} (optional)', de: '{title} (kann leer bleiben)' },
  tried: {
    en: 'A key that {service} refuses is not stored. If {service} does not respond now, the first use shows whether the key is right. The key is stored encrypted. This site never shows the key again.',
    de: 'Ein Schlüssel, den {service} ablehnt, wird nicht gespeichert. Antwortet {service} gerade nicht, zeigt sich erst bei der ersten Nutzung, ob der Schlüssel stimmt. Der Schlüssel wird verschlüsselt gespeichert. Er wird hier nie wieder angezeigt.',
  },
  untried: {
    en: 'The key is stored encrypted. This site never shows the key again. The first use of {service} shows whether the key is right.',
    de: 'Der Schlüssel wird verschlüsselt gespeichert. Er wird hier nie wieder angezeigt. Ob der Schlüssel stimmt, zeigt sich erst, wenn {service} zum ersten Mal genutzt wird.',
  },
  allow: { en: 'Connect {service}', de: '{service} verbinden' },
  missing: {
    en: 'Enter the key. The key can contain only English letters, digits, symbols and spaces. Nothing was stored.',
    de: 'Geben Sie den Schlüssel ein. Er darf nur Buchstaben von A bis Z, Ziffern, Sonderzeichen und Leerzeichen enthalten. Es wurde nichts gespeichert.',
  },
  refused: {
    en: '{service} does not accept the key. Copy the key from {service} again and enter it. Nothing was stored.',
    de: '{service} akzeptiert den Schlüssel nicht. Kopieren Sie den Schlüssel noch einmal bei {service} und geben Sie ihn hier ein. Es wurde nichts gespeichert.',
  },
  credentialRefused: {
    en: 'A key in an optional field was not accepted. Enter all keys again. Copy that key again, or leave its field empty. Nothing was stored.',
    de: 'Der Schlüssel in einem der optionalen Felder wurde nicht akzeptiert. Geben Sie alle Schlüssel noch einmal ein. Kopieren Sie diesen Schlüssel noch einmal, oder lassen Sie sein Feld leer. Es wurde nichts gespeichert.',
  },
} as const satisfies Record<string, Text>;

/** Texts for a user who opened the page in the built-in browser of an app. Some upstreams refuse a sign-in there. */
export const inAppTexts = {
  title: { en: 'Open this page in your browser', de: 'Öffnen Sie diese Seite in Ihrem Browser' },
  what: {
    en: 'You opened this page inside an app. {service} does not allow a sign-in there. Copy the address and open it in your browser, such as Safari, Chrome or Firefox.',
    de: 'Sie haben diese Seite in einer App geöffnet. {service} erlaubt dort keine Anmeldung. Kopieren Sie die Adresse und öffnen Sie sie in Ihrem Browser, zum Beispiel in Safari, Chrome oder Firefox.',
  },
} as const satisfies Record<string, Text>;

/** Texts that tell the user which account at the upstream is connected. */
export const accountTexts = {
  connectedAs: { en: 'Account: {account}', de: 'Konto: {account}' },
  keep: {
    en: 'Last connected: {account}. Sign in to {service} with this account again. With this link, you cannot connect another account.',
    de: 'Zuletzt verbunden: {account}. Melden Sie sich bei {service} wieder mit diesem Konto an. Mit diesem Link können Sie kein anderes Konto verbinden.',
  },
  replace: {
    en: 'Last connected: {account}. If you sign in to {service} with another account, the new account replaces the old one.',
    de: 'Zuletzt verbunden: {account}. Wenn Sie sich bei {service} mit einem anderen Konto anmelden, ersetzt es das bisherige Konto.',
  },
} as const satisfies Record<string, Text>;

export const cancelledTexts = {
  title: { en: 'No account was connected', de: 'Es wurde kein Konto verbunden' },
  what: {
    en: 'You cancelled. {application} got no new access to {service}.',
    de: 'Sie haben abgebrochen. {application} hat keinen neuen Zugriff auf {service} bekommen.',
  },
  changedYourMind: { en: 'Back to the consent page', de: 'Zurück zur Zustimmung' },
} as const satisfies Record<string, Text>;

export const smallTexts = {
  administratorAddress: { en: 'Link for your administrator', de: 'Link für Ihre IT-Administration' },
  checkAgain: { en: 'Check again', de: 'Noch einmal prüfen' },
  tryAgain: { en: 'Try again', de: 'Noch einmal versuchen' },
  request: { en: 'Request number', de: 'Vorgangsnummer' },
  forDevelopers: { en: 'For developers', de: 'Für Entwickler' },
} as const satisfies Record<string, Text>;
