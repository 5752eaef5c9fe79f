import type { Text } from '../connect/connect-texts.js';

/**
 * Texts of the page on which a user grants access to an MCP client. The placeholder {service} is the name of the MCP
 * client.
 */
export const consentTexts = {
  title: { en: 'Allow {service} to act for you', de: '{service} Zugriff erlauben' },
  question: {
    en: '{service} wants to act for you in {application}, where you are signed in as {identifier}.',
    de: '{service} möchte in {application} in Ihrem Namen handeln. Sie sind dort als {identifier} angemeldet.',
  },
  selfRegisteredTitle: { en: 'Allow a program to act for you', de: 'Einem Programm Zugriff erlauben' },
  selfRegisteredQuestion: {
    en: 'A program that calls itself {service} wants to act for you in {application}, where you are signed in as {identifier}. Nobody has checked the name of the program.',
    de: 'Ein Programm, das sich selbst {service} nennt, möchte in {application} in Ihrem Namen handeln. Sie sind dort als {identifier} angemeldet. Der Name des Programms wurde nicht geprüft.',
  },
  permissions: {
    en: 'If you allow the access, {service} may use the following',
    de: 'Wenn Sie zustimmen, darf {service} Folgendes nutzen',
  },
  nothing: {
    en: 'In {application}, you have not connected a service yet that {service} may use.',
    de: 'Sie haben in {application} noch keinen Dienst verbunden, den {service} nutzen darf.',
  },
  oneTool: { en: '1 tool', de: '1 Funktion' },
  tools: { en: '{count} tools', de: '{count} Funktionen' },
  readsOnly: {
    en: '{connector}: only read data ({reading})',
    de: '{connector}: nur Daten lesen ({reading})',
  },
  changesOnly: {
    en: '{connector}: change data ({changing})',
    de: '{connector}: Daten ändern ({changing})',
  },
  both: {
    en: '{connector}: read data ({reading}) and change data ({changing})',
    de: '{connector}: Daten lesen ({reading}) und ändern ({changing})',
  },
  changes: {
    en: 'Make changes. Without this permission, {service} may only read.',
    de: 'Änderungen vornehmen. Ohne diese Erlaubnis darf {service} nur lesen.',
  },
  later: {
    en: 'Also use services that you connect later in {application}',
    de: 'Auch Dienste nutzen, die Sie später in {application} verbinden',
  },
  leaveOut: {
    en: 'Clear the checkbox of everything that {service} must not use.',
    de: 'Entfernen Sie das Häkchen bei allem, was {service} nicht nutzen soll.',
  },
  caution: {
    en: 'Allow the access only if you asked for it yourself in {service} a moment ago. If you allow the access, everybody who uses that program can act for you.',
    de: 'Erlauben Sie den Zugriff nur, wenn Sie ihn gerade selbst in {service} angefordert haben. Wenn Sie den Zugriff erlauben, kann jeder, der dieses Programm benutzt, in Ihrem Namen handeln.',
  },
  backToSite: {
    en: 'After your decision, you return to {site}.',
    de: 'Nach Ihrer Entscheidung kehren Sie zu {site} zurück.',
  },
  backToDevice: {
    en: 'After your decision, you return to a program on this device.',
    de: 'Nach Ihrer Entscheidung kehren Sie zu einem Programm auf diesem Gerät zurück.',
  },
  takeBack: {
    en: 'You can revoke the access at any time in {application}. The access ends after 30 days without use.',
    de: 'Sie können den Zugriff jederzeit in {application} widerrufen. Der Zugriff endet nach 30 Tagen ohne Nutzung.',
  },
  allow: { en: 'Allow', de: 'Erlauben' },
  deny: { en: 'Deny', de: 'Ablehnen' },
} as const satisfies Record<string, Text>;
