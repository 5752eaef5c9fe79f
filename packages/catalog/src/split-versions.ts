import type { ToolCall } from './catalog.js';
import { type BrokenRule, InvalidInputError } from './errors.js';
import { isJsonObject } from './json-schema.js';
import { kindOf } from './kind-of.js';
import type { WantedVersion } from './select-version.js';
import type { Tool } from './tool.js';

/** Takes `schema_version` and `tool_version` out of the input of a tool that accepts them there. Throws `InvalidInputError`. */
export function splitVersions(
  tool: Tool,
  call: ToolCall,
): { readonly input: unknown; readonly wanted: WantedVersion } {
  const { toolInput, schemaVersion, toolVersion } = call;
  if (!tool.versionInputs || !isJsonObject(toolInput))
    return { input: toolInput, wanted: { schemaVersion, toolVersion } };
  const { schema_version, tool_version, ...input } = toolInput;
  const errors = [
    ...versionProblems('schema_version', schema_version, 'schemaVersion', schemaVersion),
    ...versionProblems('tool_version', tool_version, 'toolVersion', toolVersion),
  ];
  if (errors.length > 0) throw new InvalidInputError(errors);
  return {
    input,
    wanted: {
      schemaVersion: chosen(schema_version, schemaVersion),
      toolVersion: chosen(tool_version, toolVersion),
    },
  };
}

function chosen(named: unknown, option: string | undefined): string | undefined {
  return typeof named === 'string' ? named : option;
}

function versionProblems(
  field: string,
  named: unknown,
  option: string,
  wanted: string | undefined,
): readonly BrokenRule[] {
  if (named === undefined) return [];
  const received = kindOf(named);
  if (typeof named !== 'string') {
    return [{ field, rule: 'type', message: `"${field}" must be a string such as "1.0.0"`, received }];
  }
  if (wanted === undefined || wanted === named) return [];
  return [
    {
      field,
      rule: 'const',
      message: `"${field}" and ${option} name different versions; give one of them`,
      received,
    },
  ];
}
