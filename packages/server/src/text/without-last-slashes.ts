/** The text without the slashes at its end. An expression for it would begin anew at every slash of a text full of them. */
export function withoutLastSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
