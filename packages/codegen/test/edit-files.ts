import { isJsonObject } from '@svc/catalog';

/**
 * Edits of JSON files: values by the address `<file>#/<path>`. Undefined removes the value or the file, and a final `-`
 * appends to a list.
 */
export type Edits = Readonly<Record<string, unknown>>;

/** Copies the files and applies the edits to the copies. */
export function editFiles(
  files: Readonly<Record<string, unknown>>,
  edits: Edits,
): Readonly<Record<string, unknown>> {
  const copies = structuredClone({ ...files }) as Record<string, unknown>;
  for (const [address, value] of Object.entries(edits)) {
    const [file = '', path = ''] = address.split('#/');
    if (path !== '') put(copies[file], path.split('/'), value);
    else if (value === undefined) delete copies[file];
    else copies[file] = value;
  }
  return copies;
}

function put(document: unknown, steps: readonly string[], value: unknown): void {
  const [step = '', ...rest] = steps;
  if (rest.length > 0) {
    if (Array.isArray(document)) put(document[Number(step)], rest, value);
    else if (isJsonObject(document)) put(document[step], rest, value);
  } else if (Array.isArray(document)) {
    if (step === '-') document.push(value);
    else document.splice(Number(step), 1, ...(value === undefined ? [] : [value]));
  } else if (isJsonObject(document)) {
    if (value === undefined) delete document[step];
    else document[step] = value;
  }
}
