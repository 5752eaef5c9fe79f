/** English and German stop words. The tool search ignores them, because they say nothing about a task. */
const STOP_WORDS = wordSet(
  'a an and any are as at be been by can could do does for from give had has have hey i if in into is it its just let me my need now of on one or our out please s so some that the their them there these this those to too up us want was we were will with would you your',
  'aber alle als am an auf aus bei bitte da das dass dem den der des die diese diesem diesen dieser dieses du ein eine einem einen einer eines er es für gibt hab habe haben hat ich ihr ihre im ist ja jetzt kann kannst man mal mein meine meinem meinen meiner mich mir mit nach noch oder sich sie sind und uns unser unsere unserem unseren unserer von vom vor war waren werden will wir wird wurde wurden zu zum zur',
);

/**
 * Words that ask for information. The first query word from this list or `CHANGING_WORDS` decides whether the query
 * reads or changes data.
 */
const READING_WORDS = wordSet(
  'what which who whose whom when where how why did list show see view browse enumerate every all read look display fetch retrieve find search query lookup check tell upcoming summarize compare count download',
  'was welche welcher welches welchen wer wem wessen wann wo wie wieviel wieviele warum zeig zeige zeigen liste auflisten lies lesen such suche suchen find finde finden hol hole holen prüf prüfe prüfen schau',
);

/** Words that ask for a change of data. Queries with them rank tools that write higher. */
const CHANGING_WORDS = wordSet(
  'create add make put insert append write set start register update change edit modify rename move reschedule correct adjust rewrite delete remove cancel drop erase trash discard unsubscribe clear restore stop abort upload send save invite run scrape book schedule share duplicate copy turn mark publish accept decline reject respond subscribe unfollow dislike take notify push kick fix tick untick leave ditch wipe jot tweak switch alter swap bump reserve archive pin replace attach import connect rid',
  'erstell erstelle erstellen anlegen leg lege mach mache füge hinzufügen schreib schreibe schreiben trag trage eintragen änder ändere ändern verschieb verschiebe verschieben benenn benenne umbenennen lösch lösche löschen entfern entferne entfernen streich streiche absagen start starte starten stopp stoppe stoppen abbrechen hochladen lad lade speicher speichere speichern einladen teil teile teilen buch buche buchen abonnier abonniere abonnieren kopier kopiere kopieren antworte kommentier kommentiere setz setze nimm wirf häng hänge anhängen pack raus weg dazu rein ergänze ergänzen aktualisiere aktualisieren benachrichtige hake abhaken veröffentliche bewerte bewerten',
);

/** Words that ask for a change only as the first word of a query, such as `comment`. Elsewhere they are nouns. */
const CHANGING_FIRST = wordSet(
  'comment reply like rate post group record plan note block thumb follow call give kommentiere',
);

/** Synonym groups. The tool search replaces each word by the first word of its line. */
const SYNONYM_LINES = [
  'list show see view browse enumerate every all read look display fetch retrieve open get grab pull peek check zeig schau zeige zeigen liste auflisten lies lesen hol hole',
  'find search query lookup look_up discover such suche suchen finde finden',
  'create new make build plan register jot spin compose draft erstell erstelle erstellen anlegen leg lege mach mache neu neue neuen neues',
  'add insert append put attach dazu rein häng hänge anhängen ergänze ergänzen pack füge hinzufügen trag trage eintragen',
  'start run execute starte starten',
  'update change edit modify rename move push reschedule correct fix adjust rewrite tweak switch alter swap bump aktualisiere aktualisieren setz setze änder ändere ändern verschieb verschiebe verschieben umbenennen benenne',
  'delete remove cancel drop erase trash discard unsubscribe unfollow clear kick rid ditch wipe raus weg entfern nimm wirf lösch lösche löschen entferne entfernen absagen streiche',
  'invite invitation einladen einladung',
  'event meeting appointment agenda standup schedule book termin termine besprechung besprechungen treffen sitzung',
  'calendar gcal cal kalender',
  'youtube yt',
  'linkedin li',
  'web google internet website webseite',
  'video vid clip movie film videos',
  'comment reply remark discussion thread kommentar kommentare antwort antworten',
  'person people profile member someone colleague employee user human folks contact kollege kollegen mitarbeiter nutzer benutzer mitglied mitglieder leute profil',
  'company organization firm employer business organisation startup corporation firma unternehmen arbeitgeber',
  'page document doc note seite dokument notiz notizen',
  'database db table datenbank tabelle',
  'row entry record zeile eintrag einträge',
  'transcript said say spoken conversation words wortlaut mitschrift abschrift transkript protokoll wörtlich verbatim verbatims gesagt',
  'summary recap summarize summarise overview gist tldr highlights zusammenfassung',
  'caption subtitle untertitel',
  'like rate rating thumb reaction upvote gefällt geliked likes bewerte bewerten',
  'subscribe subscription follow abonniere abonnieren abo abos',
  'call recording phone mitschnitt anruf gespräch gespräche telefonat aufnahme aufnahmen',
  'actor scraper crawler',
  'statistic analytic analytics metric stats performance number views statistik auswertung zahlen',
  'todo task action aufgabe aufgaben',
  'content text body block paragraph inhalt',
  'job position vacancy opening role career stelle job jobs stellen stellenangebot',
  'advert ad advertisement anzeige anzeigen werbung',
  'upload send import hochladen lade lad',
  'channel kanal kanäle',
  'playlist wiedergabeliste',
  'report bericht berichte',
  'post beitrag beiträge',
  'group gruppe gruppen',
  'place location geo city ort stadt',
];

const SPLIT = /[^\p{L}\p{N}]+/u;
const MAX_WORDS = 2000;

function wordSet(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(' ')));
}

/** Removes English word endings such as `-s`, `-ing` and `-ed`, so that the tool search matches inflected forms. */
function stem(word: string): string {
  if (word.length <= 3) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.endsWith('sses') || word.endsWith('shes') || word.endsWith('ches')) return word.slice(0, -2);
  if (word.endsWith('s') && !word.endsWith('ss') && !word.endsWith('us') && !word.endsWith('is'))
    return word.slice(0, -1);
  if (word.endsWith('ing') && word.length > 5) return word.slice(0, -3);
  if (word.endsWith('ed') && word.length > 4) return word.slice(0, -2);
  return word;
}

/** Removes word endings and a final `e`, so that `schedule` and `scheduling` have the same root. */
const rootOf = (word: string): string => {
  const stemmed = stem(word);
  return stemmed.length > 4 && stemmed.endsWith('e') ? stemmed.slice(0, -1) : stemmed;
};

/** Map from the root of a word to the root of its synonym group. The tool search compares the latter. */
export const SYNONYMS: ReadonlyMap<string, string> = new Map(
  SYNONYM_LINES.flatMap((line) => {
    const words = line.split(' ').map(rootOf);
    return words.map((word) => [word, words[0] ?? word] as const);
  }),
);

const split = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(SPLIT)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);

/** Splits a text into words for the tool search: lower case, without stop words, reduced to roots and synonyms. */
export const wordsOf = (text: string): readonly string[] =>
  split(text)
    .filter((word) => !STOP_WORDS.has(word))
    .map((word) => SYNONYMS.get(rootOf(word)) ?? rootOf(word));

/** True if a search query asks for a change of data. A query without a verb asks for information. */
export function wantsChange(query: string): boolean {
  const words = split(query);
  const first = words.find((word) => !STOP_WORDS.has(word)) ?? '';
  if (CHANGING_FIRST.has(first)) return true;
  const decisive = words.find((word) => READING_WORDS.has(word) || CHANGING_WORDS.has(word)) ?? '';
  return CHANGING_WORDS.has(decisive);
}
