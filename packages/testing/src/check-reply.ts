import type { Catalog, Tool, ToolVersion } from '@svc/catalog';

interface Reply {
  readonly data: unknown;
  /** Name of the fake tool in error messages. */
  readonly label: string;
}

/**
 * Validates a tool's result data with the output schema of a tool version. Returns the problems as sentences, or an
 * empty text.
 */
export const replyProblems = (
  catalog: Catalog,
  tool: Tool,
  { version, data }: { readonly version: ToolVersion; readonly data: unknown },
): string =>
  catalog
    .outputProblems(tool, version, data)
    .map(({ message }) => message)
    .join('; ');

/**
 * Converts a value to JSON text and back, as sending it over the network does. Throws for a value that JSON cannot
 * represent.
 */
export function toSent(data: unknown): unknown {
  const text: string | undefined = JSON.stringify(data);
  return text === undefined ? undefined : JSON.parse(text);
}

/**
 * Returns the planned reply of a fake tool after conversion to JSON and back. Throws if the reply matches the output
 * schema of no version of the tool.
 */
export function checkReply(catalog: Catalog, tool: Tool, { data, label }: Reply): unknown {
  const sent = toSent(data);
  const problemsOf = (version: ToolVersion) => replyProblems(catalog, tool, { version, data: sent });
  const current = catalog.selectVersion(tool);
  if (tool.versions.some((version) => problemsOf(version) === '')) return sent;
  throw new TypeError(
    `The planned reply of ${label} does not match its output schema. Correct the reply: ${problemsOf(current)}.`,
  );
}
