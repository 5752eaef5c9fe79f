import { type Catalog, type Example, isJsonObject, replay, type Tool, type ToolVersion } from '@svc/catalog';
import { replyProblems } from './check-reply.js';

type Path = readonly string[];

const valueAt = (data: unknown, path: Path): unknown =>
  path.reduce<unknown>((part, name) => (isJsonObject(part) ? part[name] : undefined), data);

const isFilled = (items: unknown): boolean => Array.isArray(items) && items.length > 0;

/** Returns a copy of the data with another value at a path. `undefined` removes the property. */
function withValue(data: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined || !isJsonObject(data)) return data;
  if (rest.length > 0) return { ...data, [name]: withValue(data[name], rest, value) };
  const { [name]: _, ...others } = data;
  return value === undefined ? others : { ...others, [name]: value };
}

function dataOf(catalog: Catalog, tool: Tool, { version, example }: Chosen): unknown {
  if (example.data !== undefined) return example.data;
  const schema = catalog.plainInputSchemaOf(tool, version);
  // Skips the validation of the input, because dates in the example may be too old for its rules about dates.
  return replay(version, example, { input: example.input, schema })?.data;
}

interface Chosen {
  readonly version: ToolVersion;
  readonly example: Example;
}

/**
 * Returns the result data of the tool's example. Undefined without an example. For a tool with pages, returns the last
 * page, so that loops over all pages end.
 */
export function exampleData(catalog: Catalog, tool: Tool, version: ToolVersion): unknown {
  const { schema_version: contract, paging } = version;
  const current = catalog.selectVersion(tool).schema_version;
  const results = tool.examples
    .filter((example) => (example.version ?? current) === contract)
    .map((example) => dataOf(catalog, tool, { version, example }))
    .filter((data) => data !== undefined);
  const [first] = results;
  if (paging === undefined || first === undefined) return first;
  const [next, items] = [paging.output.split('/'), paging.items.split('/')];
  const last = results.find((data) => !valueAt(data, next) && isFilled(valueAt(data, items)));
  if (last !== undefined) return last;
  // Removes the value that requests the next page, because a loop over all pages would otherwise never end.
  const ended = withValue(first, next, undefined);
  return replyProblems(catalog, tool, { version, data: ended }) === '' ? ended : withValue(first, next, null);
}
