import type { Text } from '../connect/connect-texts.js';

/**
 * Texts of the page on which a user grants access to an MCP client. The placeholder {service} is the name of the MCP
 * client.
 */
export const consentTexts = {
  title: { en: 'Allow {service} to act for you', de: '{service} Zugriff erlauben' },
  question: {
    en: '{service} wants to act for you in {application}, where you are signed in as {identifier}.',
    de: '{service} möchte in {application} für Sie handeln. Sie sind dort als {identifier} angemeldet.',
  },
  selfRegisteredTitle: { en: 'Allow a program to act for you', de: 'Einem Programm Zugriff erlauben' },
  selfRegisteredQuestion: {
    en: 'A program that calls itself {service} wants to act for you in {application}, where you are signed in as {identifier}. Nobody has checked its name.',
    de: 'Ein Programm, das sich selbst {service} nennt, möchte in {application} für Sie handeln. Sie sind dort als {identifier} angemeldet. Niemand hat den Namen geprüft.',
  },
  permissions: { en: '{service} may then use', de: '{service} darf dann nutzen' },
  nothing: {
    en: 'Nothing yet: {application} has no connection that it may use.',
    de: 'Noch nichts: {application} hat keine Verbindung, die es nutzen darf.',
  },
  readsOnly: {
    en: '{connector}: read only ({reading} tools)',
    de: '{connector}: nur lesen ({reading} Werkzeuge)',
  },
  changesOnly: {
    en: '{connector}: make changes ({changing} tools)',
    de: '{connector}: ändern ({changing} Werkzeuge)',
  },
  both: {
    en: '{connector}: read ({reading} tools) and make changes ({changing} tools)',
    de: '{connector}: lesen ({reading} Werkzeuge) und ändern ({changing} Werkzeuge)',
  },
  caution: {
    en: 'Allow this only if you started it yourself in {service} a moment ago. Everybody who uses that {service} can then act for you.',
    de: 'Erlauben Sie das nur, wenn Sie es gerade selbst in {service} begonnen haben. Wer dieses {service} bedient, kann dann für Sie handeln.',
  },
  backToSite: { en: 'Afterwards you return to {site}.', de: 'Danach kehren Sie zu {site} zurück.' },
  backToDevice: {
    en: 'Afterwards you return to a program on this device.',
    de: 'Danach kehren Sie zu einem Programm auf diesem Gerät zurück.',
  },
  takeBack: {
    en: 'You can revoke the access at any time in {application}. It ends after 30 days without use.',
    de: 'Sie können den Zugriff jederzeit in {application} widerrufen. Er endet nach 30 Tagen ohne Nutzung.',
  },
  allow: { en: 'Allow', de: 'Erlauben' },
  deny: { en: 'Refuse', de: 'Ablehnen' },
} as const satisfies Record<string, Text>;
