/**
 * Cuts a text to `most` UTF-16 code units and appends "…" to a cut text. Never splits a surrogate pair, because model
 * vendors reject ill-formed Unicode.
 */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed();
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return `${text.slice(0, end).toWellFormed()}…`;
}
