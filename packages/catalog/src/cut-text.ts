/**
 * The first characters of a text, in UTF-16 code units, with "…" behind a text that was cut. A cut never leaves half a surrogate pair,
 * because model vendors refuse ill-formed text.
 */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed();
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return `${text.slice(0, end).toWellFormed()}…`;
}
