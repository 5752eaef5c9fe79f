const WIDTH = 100;

const cut = (text: string) => (text.length > WIDTH ? `${text.slice(0, WIDTH - 1)}…` : text);

/** Prints the heading of a chapter of the demo. */
export function chapter(title: string): void {
  console.log(`\n━━ ${title}`);
}

/** Prints an event of the demo and its outcome. */
export function say(what: string, outcome: unknown = ''): void {
  const text = typeof outcome === 'string' ? outcome : JSON.stringify(outcome);
  console.log(`   ${what}${text === '' ? '' : `\n      → ${cut(text)}`}`);
}

/** Prints a condition that the demo checks. Throws if it is false. */
export function check(what: string, isTrue: boolean): void {
  if (!isTrue)
    throw new Error(`The demo expected that ${what}, but this is not so. Report this bug of the service.`);
  console.log(`   ✓ ${what}`);
}
