const LINE_WIDTH = 110;

/** JSON as the repository's formatter lays it out: lists on one line where they fit, objects never. */
export function jsonText(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => jsonText(item, inner))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => `${JSON.stringify(key)}: ${jsonText(member, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const line = `${open}${parts.join(', ')}${close}`;
  if (parts.length === 0 || (isList && !line.includes('\n') && inner.length + line.length < LINE_WIDTH))
    return line;
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}
