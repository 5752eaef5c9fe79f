const WIDTH = 100;

const cut = (text: string) => (text.length > WIDTH ? `${text.slice(0, WIDTH - 1)}…` : text);

/** A chapter of the story. */
export function chapter(title: string): void {
  console.log(`\n━━ ${title}`);
}

/** One thing that happened, and what came of it. */
export function say(what: string, outcome: unknown = ''): void {
  const text = typeof outcome === 'string' ? outcome : JSON.stringify(outcome);
  console.log(`   ${what}${text === '' ? '' : `\n      → ${cut(text)}`}`);
}

/** A fact that the demo rests on: when it does not hold, the demo fails. */
export function check(what: string, holds: boolean): void {
  if (!holds) throw new Error(`The demo expected that ${what}.`);
  console.log(`   ✓ ${what}`);
}
