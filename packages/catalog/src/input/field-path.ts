import { cutText } from '../cut-text.js';

/** Converts a JSON pointer such as `/blocks/3/type` to the notation of error messages: `blocks[3].type`. */
export function pathOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
}

/** Returns the path of a property, such as `filter.name` for the property `name` of the object at `filter`. */
export function memberPath(path: string, property: string): string {
  return path === '' ? property : `${path}.${property}`;
}

const MAX_PATH = 120;

/** Cuts a path in an error message to 120 characters, because callers choose the property names in it. */
export const cut = (path: string): string => cutText(path, MAX_PATH);

/** Quotes a path for an error message, cut to 120 characters. */
export function quote(path: string): string {
  return `"${cut(path)}"`;
}
