import type { ToolVersion } from './tool.js';

/** Returns the tool inputs that the service sets itself when it polls the tool's list. */
export function ownInputsOf({ paging, watch }: ToolVersion): readonly string[] {
  const { input = {}, since, syncToken } = watch ?? {};
  const names = [paging?.input, ...Object.keys(paging?.also ?? {}), since?.input, syncToken?.input];
  return [...names.filter((name) => name !== undefined), ...Object.keys(input)];
}

/** Returns the tool inputs that an application must not set when it watches the list of this tool version. */
export const inputsWithoutWatch = (version: ToolVersion): readonly string[] => [
  ...new Set([...ownInputsOf(version), ...(version.watch?.without ?? [])]),
];
