import type { Text } from '../connect/connect-texts.js';

/** Texts of the page on which a user gives an MCP client access. {service} is the client. */
export const consentTexts = {
  title: { en: 'Give {service} access', de: '{service} Zugriff geben' },
  question: {
    en: '{service} wants to work for you in {application}. You are signed in there as {identifier}.',
    de: '{service} möchte in {application} für Sie arbeiten. Sie sind dort als {identifier} angemeldet.',
  },
  reached: { en: '{service} may then use', de: '{service} darf dann nutzen' },
  nothing: {
    en: 'Nothing yet: {application} has connected nothing that it may use.',
    de: 'Noch nichts: {application} hat nichts verbunden, was es nutzen darf.',
  },
  readsOnly: {
    en: '{connector}: read only ({reading} tools)',
    de: '{connector}: nur lesen ({reading} Werkzeuge)',
  },
  changesOnly: {
    en: '{connector}: change things ({changing} tools)',
    de: '{connector}: etwas verändern ({changing} Werkzeuge)',
  },
  both: {
    en: '{connector}: read ({reading} tools) and change things ({changing} tools)',
    de: '{connector}: lesen ({reading} Werkzeuge) und etwas verändern ({changing} Werkzeuge)',
  },
  caution: {
    en: 'Agree only if you began this yourself in {service} a moment ago. Whoever has {service} in their hands can then act for you.',
    de: 'Stimmen Sie nur zu, wenn Sie das gerade selbst in {service} begonnen haben. Wer {service} in der Hand hat, kann dann für Sie handeln.',
  },
  backToSite: { en: 'Afterwards you go back to {place}.', de: 'Danach kommen Sie zurück zu {place}.' },
  backToDevice: {
    en: 'Afterwards you go back to a program on this device.',
    de: 'Danach kommen Sie zurück zu einem Programm auf diesem Gerät.',
  },
  takeBack: {
    en: 'You can take this back at any time in {application}. Without use it ends after 30 days.',
    de: 'Sie können das jederzeit in {application} zurücknehmen. Ungenutzt endet es nach 30 Tagen.',
  },
  allow: { en: 'Give access', de: 'Zugriff geben' },
  deny: { en: 'Refuse', de: 'Ablehnen' },
} as const satisfies Record<string, Text>;
