const MAX_CHARACTERS = 1000;
const MAX_RANGES = 100;

/**
 * Reads the quality value (`q=`) from the parameters of an entry in a header such as Accept. The default is 1; an
 * invalid value counts as 0.
 */
function weightOf(parameters: readonly string[]): number {
  const quality = parameters.map((parameter) => parameter.trim()).find((each) => /^q=/i.test(each));
  if (quality === undefined) return 1;
  const weight = Number(quality.slice(2));
  return weight >= 0 && weight <= 1 ? weight : 0;
}

/**
 * Parses a header such as Accept-Language into names (lower case) and weights (0 to 1). Reads at most 1000 characters
 * and 100 entries.
 */
export const readAccept = (header: string | undefined) =>
  (header ?? '')
    .slice(0, MAX_CHARACTERS)
    .split(',', MAX_RANGES)
    .map((range) => {
      const [name = '', ...parameters] = range.split(';');
      return { name: name.trim().toLowerCase(), weight: weightOf(parameters) };
    });
