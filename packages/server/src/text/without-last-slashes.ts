/**
 * Removes trailing slashes. Uses a loop, because a regular expression takes quadratic time on a long run of slashes.
 */
export function withoutLastSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
