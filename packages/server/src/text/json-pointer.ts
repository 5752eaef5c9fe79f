import { isJsonObject } from '@svc/catalog';

/** Returns the value at a JSON pointer (RFC 6901), such as `/errors/0/text`. Undefined if the document has none. */
export function readPointer(document: unknown, pointer: string): unknown {
  const names = pointer.slice(1).split('/');
  return names.reduce<unknown>((value, escaped) => {
    const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isJsonObject(value) && !Array.isArray(value)) return undefined;
    return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
  }, document);
}
