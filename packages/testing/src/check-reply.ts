import type { Catalog, Tool, ToolVersion } from '@svc/catalog';

interface Reply {
  readonly data: unknown;
  /** Name of the fake in messages. */
  readonly label: string;
}

/** Problems of a version's data, as sentences; empty when there are none. */
export const replyProblems = (
  catalog: Catalog,
  tool: Tool,
  { version, data }: { readonly version: ToolVersion; readonly data: unknown },
): string =>
  catalog
    .outputProblems(tool, version, data)
    .map(({ message }) => message)
    .join('; ');

/** Data as they travel. Throws where they cannot. */
export function toSent(data: unknown): unknown {
  const text: string | undefined = JSON.stringify(data);
  return text === undefined ? undefined : JSON.parse(text);
}

/** Data as they travel. Throws what is wrong with them where no version of the tool answers so. */
export function checkReply(catalog: Catalog, tool: Tool, { data, label }: Reply): unknown {
  const sent = toSent(data);
  const problemsOf = (version: ToolVersion) => replyProblems(catalog, tool, { version, data: sent });
  const current = catalog.selectVersion(tool);
  if (tool.versions.some((version) => problemsOf(version) === '')) return sent;
  throw new TypeError(`${label} cannot reply so: ${problemsOf(current)}.`);
}
