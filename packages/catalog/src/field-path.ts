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

/** A path in a message. Long names of callers are cut. */
export function quote(path: string): string {
  return `"${path.length > 120 ? `${path.slice(0, 120)}…` : path}"`;
}
