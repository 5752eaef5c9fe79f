import type { Page } from 'playwright-core';

/** More than a field of a date has parts. */
const SPARE = 12;

// One of several radio buttons is reached by Tab; arrows lead to the others.
const CONTROLS =
  'a[href], button, input:not([type="radio"]), input[type="radio"]:checked, select, textarea, summary, [tabindex="0"]';

interface Stop {
  readonly index: number;
  readonly isSeen: boolean;
}

/** Notes where the focus comes, from the start of the document on. */
function listen(selector: string): number {
  const controls = [...document.querySelectorAll(selector)].filter(
    (element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled'),
  );
  const stops: Stop[] = [];
  addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return;
    const { outlineStyle, outlineWidth } = getComputedStyle(target);
    const isSeen = outlineStyle !== 'none' && outlineWidth !== '0px';
    stops.push({ index: controls.indexOf(target), isSeen });
  });
  Object.assign(globalThis, { controls, stops });
  // Tab begins where the focus was last.
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
  return controls.length;
}

/** What was not reached, or with a focus that nobody sees. */
function judge(): readonly string[] {
  const { controls, stops } = globalThis as unknown as { controls: Element[]; stops: Stop[] };
  const describe = (index: number) => controls[index]?.outerHTML.slice(0, 160);
  const reached = new Set(stops.map(({ index }) => index));
  const missed = [...controls.keys()].filter((index) => !reached.has(index));
  const unseen = stops.filter(({ index, isSeen }) => index >= 0 && !isSeen);
  return [
    ...missed.map((index) => `not reached: ${describe(index)}`),
    ...unseen.map(({ index }) => `focus not seen: ${describe(index)}`),
  ];
}

/** Goes through the page by Tab, and gives the controls that were not reached, or had a focus that cannot be seen. */
export async function notReachedByTab(page: Page): Promise<readonly string[]> {
  const count = await page.evaluate(listen, CONTROLS);
  for (let pressed = 0; pressed < count + SPARE; pressed += 1) await page.keyboard.press('Tab');
  return page.evaluate(judge);
}
