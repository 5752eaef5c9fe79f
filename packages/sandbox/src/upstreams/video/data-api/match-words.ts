/** A search by words: all have to be there, `-word` must not be, and `a|b` wants one of them. */
export function matchWords(query: string): (text: string) => boolean {
  const terms = query
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '');
  const excluded = terms.filter((term) => /^-./.test(term)).map((term) => term.slice(1));
  const wanted = terms.filter((term) => !/^-./.test(term)).map((term) => term.split('|'));
  return (text) => {
    const lower = text.toLowerCase();
    return (
      wanted.every((choices) => choices.some((choice) => lower.includes(choice))) &&
      !excluded.some((term) => lower.includes(term))
    );
  };
}
