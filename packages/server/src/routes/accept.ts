const MOST_CHARACTERS = 1000;
const MOST_RANGES = 20;

/** What a browser takes, and how much it is wanted, from 0 to 1. */
export interface Wanted {
  /** In small letters. */
  readonly name: string;
  readonly weight: number;
}

/** What cannot be read counts as not wanted at all. */
function weightOf(parameters: readonly string[]): number {
  const quality = parameters.map((parameter) => parameter.trim()).find((each) => /^q=/i.test(each));
  if (quality === undefined) return 1;
  const weight = Number(quality.slice(2));
  return weight >= 0 && weight <= 1 ? weight : 0;
}

/** The beginning of a header such as Accept-Language. */
export const readAccept = (header: string | undefined): readonly Wanted[] =>
  (header ?? '')
    .slice(0, MOST_CHARACTERS)
    .split(',', MOST_RANGES)
    .map((range) => {
      const [name = '', ...parameters] = range.split(';');
      return { name: name.trim().toLowerCase(), weight: weightOf(parameters) };
    });
