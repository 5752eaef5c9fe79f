const ROOTS = /^\/(?:operator\/)?v1(?=\/)/;

const toName = (text: string): string =>
  text
    .split(/[-_.]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

// Of "connections" each is a "connection", and of "access" there is no "acces".
const isPlural = (word: string): boolean => /[^su]s$/.test(word);

const isParameter = (segment: string | undefined): segment is string => segment?.startsWith('{') ?? false;

/**
 * What generated clients call an operation, by its method and its path alone, so that it stays: `getConnections`,
 * `getConnection`, `deleteConnectionAccount`.
 */
export function operationId(method: string, path: string): string {
  const segments = path.replace(ROOTS, '').split('/').slice(1);
  let id = method;
  for (const [index, segment] of segments.entries()) {
    const before = segments[index - 1] ?? '';
    if (!isParameter(segment)) id += toName(segment);
    else if (isPlural(before)) id = id.slice(0, -1);
    else id += `By${toName(segment.slice(1, -1))}`;
  }
  return id;
}
