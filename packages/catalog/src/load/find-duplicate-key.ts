import type { Step } from '../lint/file-report.js';
import { endOfString, parseJson } from '../parse-json.js';

interface Container {
  /** Keys of the object so far. `undefined` for an array. */
  readonly keys: Set<string> | undefined;
  /** Current key of an object or index of an array. */
  step: Step;
  isKeyNext: boolean;
}

/** Yields the strings and the structural characters of JSON text. */
function* tokensOf(text: string): Generator<string, void> {
  for (let index = 0; index < text.length; index += 1) {
    const start = index;
    const character = text.charAt(index);
    if (character === '"') index = endOfString(text, index + 1);
    if ('"{}[],'.includes(character)) yield text.slice(start, index + 1);
  }
}

/**
 * Finds the first key that an object in valid JSON text has twice, because the parser silently drops the first value.
 * Returns the path of the key, or `undefined` if no key occurs twice.
 */
export function findDuplicateKey(text: string): readonly Step[] | undefined {
  const containers: Container[] = [];
  for (const token of tokensOf(text)) {
    const inner = containers.at(-1);
    if (token === '{') containers.push({ keys: new Set(), step: '', isKeyNext: true });
    else if (token === '[') containers.push({ keys: undefined, step: 0, isKeyNext: false });
    else if (token === '}' || token === ']') containers.pop();
    else if (inner === undefined) continue;
    else if (token === ',') {
      inner.isKeyNext = inner.keys !== undefined;
      if (typeof inner.step === 'number') inner.step += 1;
    } else if (inner.isKeyNext) {
      inner.step = String(parseJson(token));
      inner.isKeyNext = false;
      if (inner.keys?.has(inner.step)) return containers.map(({ step }) => step);
      inner.keys?.add(inner.step);
    }
  }
  return undefined;
}
