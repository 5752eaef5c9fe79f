import type { ToolVersion } from './tool.js';

/** Returns the inputs of a watched list that the service sets itself. */
export function ownInputsOf({ paging, watch }: ToolVersion): readonly string[] {
  const { input = {}, since, syncToken } = watch ?? {};
  const names = [paging?.input, ...Object.keys(paging?.also ?? {}), since?.input, syncToken?.input];
  return [...names.filter((name) => name !== undefined), ...Object.keys(input)];
}

/** Returns the inputs that an application must not give to a watch of the tool version. */
export const inputsWithoutWatch = (version: ToolVersion): readonly string[] => [
  ...new Set([...ownInputsOf(version), ...(version.watch?.without ?? [])]),
];
