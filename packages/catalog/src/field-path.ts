import { cutText } from './cut-text.js';

/** `/blocks/3/type` as people write it: `blocks[3].type`. */
export function pathOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
}

/** Path of a property of the object at `path`. */
export function memberPath(path: string, property: string): string {
  return path === '' ? property : `${path}.${property}`;
}

const MAX_PATH = 120;

/** A path as an error tells it: long names of callers are cut. */
export const cut = (path: string): string => cutText(path, MAX_PATH);

/** A path in a message. */
export function quote(path: string): string {
  return `"${cut(path)}"`;
}
