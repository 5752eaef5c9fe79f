import type { Page } from 'playwright-core';

/** Additional Tab presses, because a date field has several tab stops. */
const EXTRA_PRESSES = 12;

// Tab reaches only the checked radio button of a group; arrow keys reach the others.
const CONTROLS =
  'a[href], button, input:not([type="radio"]), input[type="radio"]:checked, select, textarea, summary, [tabindex="0"]';

interface Stop {
  readonly index: number;
  readonly isSeen: boolean;
}

/** Records the controls that get the focus, from the start of the document. */
function recordFocus(selector: string): number {
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
  // Focuses the body, so that the next Tab key focuses the first control of the page. The body takes focus only with a
  // tabindex.
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
  return controls.length;
}

/** Lists the controls without a tab stop or without a visible focus. */
function findFaults(): readonly string[] {
  const { controls, stops } = globalThis as unknown as { controls: Element[]; stops: Stop[] };
  const describe = (index: number) => controls[index]?.outerHTML.slice(0, 160);
  const focused = new Set(stops.map(({ index }) => index));
  const missed = [...controls.keys()].filter((index) => !focused.has(index));
  const unseen = stops.filter(({ index, isSeen }) => index >= 0 && !isSeen);
  return [
    ...missed.map((index) => `no tab stop: ${describe(index)}`),
    ...unseen.map(({ index }) => `focus not seen: ${describe(index)}`),
  ];
}

/** Presses Tab through the page, and returns the controls that have no tab stop or no visible focus. */
export async function findFocusFaults(page: Page): Promise<readonly string[]> {
  const count = await page.evaluate(recordFocus, CONTROLS);
  for (let pressed = 0; pressed < count + EXTRA_PRESSES; pressed += 1) await page.keyboard.press('Tab');
  return page.evaluate(findFaults);
}
