import { readAccept } from '../accept.js';

/**
 * The language that a browser wants most of those that there are, the first one where it wants none of them. Regions are
 * not looked at: a reader of de-AT reads de.
 */
export function chooseLanguage<Language extends string>(
  header: string | undefined,
  languages: readonly [Language, ...Language[]],
): Language {
  let [chosen, most] = [languages[0], 0];
  for (const { name, weight } of readAccept(header)) {
    const primary = name.split('-', 1)[0];
    const language = primary === '*' ? languages[0] : languages.find((each) => each === primary);
    if (language !== undefined && weight > most) [chosen, most] = [language, weight];
  }
  return chosen;
}
