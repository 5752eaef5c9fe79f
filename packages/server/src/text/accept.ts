const MOST_CHARACTERS = 1000;
const MOST_RANGES = 20;

/** An invalid quality counts as 0. */
function weightOf(parameters: readonly string[]): number {
  const quality = parameters.map((parameter) => parameter.trim()).find((each) => /^q=/i.test(each));
  if (quality === undefined) return 1;
  const weight = Number(quality.slice(2));
  return weight >= 0 && weight <= 1 ? weight : 0;
}

/** Reads a header such as Accept-Language, of which 1000 characters and 20 values count. Names are in lower case, weights from 0 to 1. */
export const readAccept = (header: string | undefined) =>
  (header ?? '')
    .slice(0, MOST_CHARACTERS)
    .split(',', MOST_RANGES)
    .map((range) => {
      const [name = '', ...parameters] = range.split(';');
      return { name: name.trim().toLowerCase(), weight: weightOf(parameters) };
    });
