const MOST_CHARACTERS = 1000;
const MOST_RANGES = 20;

/** How much a language is wanted, from 0 to 1; what cannot be read counts as not at all. */
function weightOf(parameters: readonly string[]): number {
  const quality = parameters.map((parameter) => parameter.trim()).find((each) => /^q=/i.test(each));
  if (quality === undefined) return 1;
  const weight = Number(quality.slice(2));
  return weight >= 0 && weight <= 1 ? weight : 0;
}

/**
 * The language that a browser wants most of those that there are, the first one where it wants none of them. Regions are
 * not looked at: a reader of de-AT reads de.
 */
export function chooseLanguage<Language extends string>(
  header: string | undefined,
  languages: readonly [Language, ...Language[]],
): Language {
  let [chosen, most] = [languages[0], 0];
  for (const range of (header ?? '').slice(0, MOST_CHARACTERS).split(',', MOST_RANGES)) {
    const [tag = '', ...parameters] = range.split(';');
    const primary = tag.trim().split('-', 1)[0]?.toLowerCase();
    const language = primary === '*' ? languages[0] : languages.find((each) => each === primary);
    const weight = weightOf(parameters);
    if (language !== undefined && weight > most) [chosen, most] = [language, weight];
  }
  return chosen;
}
