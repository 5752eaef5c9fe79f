// Forbidden characters in URLs: control characters, spaces and backslashes. URL parsers drop or rewrite them, so
// another URL could be used than the checked one.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const REPAIRED = /[\u0000-\u0020\u007f\\]/;

/**
 * Checks the form of an http or https URL (rule O17 in security-rules.md). Returns the problem as the end of a
 * sentence, such as "has a fragment"; `undefined` for a valid URL.
 */
export function urlFormProblem(value: string): string | undefined {
  if (REPAIRED.test(value)) return 'contains a space, a backslash or a control character';
  if (!/^https?:\/\/[^/]/.test(value) || !URL.canParse(value)) return 'is not an absolute https URL';
  if (/^https?:\/\/[^/?#]*@/.test(value)) return 'contains a user name or password';
  if (value.includes('#')) return 'has a fragment';
  return undefined;
}
