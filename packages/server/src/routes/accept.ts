const MOST_CHARACTERS = 1000;
const MOST_RANGES = 20;

/** One accepted value of the header, with its weight from 0 to 1. */
export interface Accepted {
  /** Lower case. */
  readonly name: string;
  readonly weight: number;
}

/** An invalid quality counts as 0. */
function weightOf(parameters: readonly string[]): number {
  const quality = parameters.map((parameter) => parameter.trim()).find((each) => /^q=/i.test(each));
  if (quality === undefined) return 1;
  const weight = Number(quality.slice(2));
  return weight >= 0 && weight <= 1 ? weight : 0;
}

/** Reads a header such as Accept-Language: its first 1000 characters, 20 values at most. */
export const readAccept = (header: string | undefined): readonly Accepted[] =>
  (header ?? '')
    .slice(0, MOST_CHARACTERS)
    .split(',', MOST_RANGES)
    .map((range) => {
      const [name = '', ...parameters] = range.split(';');
      return { name: name.trim().toLowerCase(), weight: weightOf(parameters) };
    });
