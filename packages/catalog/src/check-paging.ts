import { isWorkedOut } from './binding/play.js';
import type { Report } from './file-report.js';
import type { JsonSchema } from './json-schema.js';
import { propertiesOf } from './properties-of.js';
import type { ToolVersion } from './tool.js';

/** Checks that the paging of a version speaks of inputs and fields that there are. */
export function checkPaging(
  { paging, handler }: ToolVersion,
  { input, output }: { readonly input: JsonSchema; readonly output: JsonSchema },
  report: Report,
): void {
  if (paging === undefined) return;
  const isInput = (name: string) => input.properties?.[name] !== undefined;
  if (paging.input !== undefined && !isInput(paging.input))
    report(['input'], `"${paging.input}" is not an input`);
  for (const [name, place] of Object.entries(paging.also ?? {})) {
    if (!isInput(name)) report(['also', name], 'it is not an input');
    if (!hasField(output, place)) report(['also', name], `"${place}" is not a field of the output`);
  }
  for (const key of ['output', 'items'] as const) {
    if (!hasField(output, paging[key])) report([key], `"${paging[key]}" is not a field of the output`);
  }
  for (const kind of ['page', 'offset'] as const) {
    const size = paging[kind]?.size;
    if (size !== undefined && !isInput(size)) report([kind, 'size'], `"${size}" is not an input`);
  }
  if (!isWorkedOut(paging)) return;
  if (handler) report([], 'a handler puts the next page into its data itself');
  if (paging.output.includes('/')) report(['output'], 'what the service works out stands at the top of data');
}

function hasField(output: JsonSchema, path: string): boolean {
  const defs = output.$defs ?? {};
  const steps = path.split('/');
  const found = steps.reduce<JsonSchema | undefined>(
    (schema, step) => (schema === undefined ? undefined : propertiesOf(schema, defs)[step]),
    output,
  );
  return found !== undefined;
}
