/** Stop words. */
const STOP_WORDS = new Set(
  'a an and any are as at be by can could do does for from get give has have i if in into is it its me my of on one or our out please so some that the their them there these this those to up us want was we what when where which who with would you your'.split(
    ' ',
  ),
);

/** Synonyms. Each line is replaced by its first word. */
const SYNONYMS = [
  'list show see view browse enumerate every all read look display fetch retrieve open',
  'find search query lookup look_up discover',
  'create add new make schedule book insert plan put set register start',
  'update change edit modify rename move reschedule correct adjust rewrite',
  'delete remove cancel drop erase trash discard unsubscribe clear',
  'event meeting appointment invite agenda standup',
  'web google internet website',
  'video clip movie film',
  'comment reply remark discussion',
  'person people profile member someone colleague employee user',
  'company organization firm employer business organisation',
  'page document doc note',
  'database table',
  'row entry record',
  'transcript said say spoken conversation words',
  'summary recap summarize overview',
  'caption subtitle subtitles',
  'like rate rating thumb',
  'subscribe subscription follow',
  'call recording',
  'actor scraper crawler',
  'statistic analytic analytics metric stats performance number views',
  'todo task action',
  'content text body block paragraph',
  'job position vacancy opening',
  'advert ad advertisement',
  'upload send',
];

const SPLIT = /[^\p{L}\p{N}]+/u;
const MOST_WORDS = 2000;

/** Removes grammatical endings of English words. */
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

/** Removes a final e too, so that `schedule` and `scheduling` have one root. */
const rootOf = (word: string): string => {
  const stemmed = stem(word);
  return stemmed.length > 4 && stemmed.endsWith('e') ? stemmed.slice(0, -1) : stemmed;
};

const FIRST_OF = new Map(
  SYNONYMS.flatMap((line) => {
    const words = line.split(' ').map(rootOf);
    return words.map((word) => [word, words[0] ?? word] as const);
  }),
);

/** Words of change, in the form that the search compares. */
export const CHANGING_WORDS: ReadonlySet<string> = new Set(
  'create update delete upload subscribe run start stop append write post comment reply like rate restore dislike thumb save invite group scrape bulk'
    .split(' ')
    .map((word) => FIRST_OF.get(rootOf(word)) ?? rootOf(word)),
);

/** Words of a text, in the form that the search compares. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(SPLIT)
    .filter((word) => word !== '' && !STOP_WORDS.has(word))
    .slice(0, MOST_WORDS)
    .map((word) => FIRST_OF.get(rootOf(word)) ?? rootOf(word));
