import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isJsonObject, type JsonSchema, loadCatalog } from '../../packages/catalog/dist/index.js';
import {
  describeRelease,
  type ReleasedConnector,
  type ReleasedTool,
} from '../../packages/codegen/dist/release.js';
import { methodName } from '../../packages/codegen/dist/source.js';
import { isAnythingReleased, readReleased } from '../release/released.ts';
import { run } from '../run.ts';

// Compiles programs with the current packages: each calls a tool with an example of the last release, and reads every
// field of the result. Without a release, compiles the examples of the current catalogue.

const FOLDER = 'scripts/node_modules/.released';
const TSCONFIG = {
  extends: '../../../tsconfig.base.json',
  compilerOptions: {
    noEmit: true,
    types: ['node'],
    // Resolves connectors to their built packages, because no package of this repository depends on a new connector.
    paths: { '@svc/*': ['../../../packages/connectors/*/dist/index.d.ts'] },
  },
  include: ['*.ts'],
};

const { connectors } = isAnythingReleased()
  ? readReleased()
  : describeRelease(loadCatalog(), ({ id }) => ({ package: `@svc/${id}`, version: '0.0.0' }));

/** Returns the property names that every output type of a tool has. */
function fieldsOf(schema: JsonSchema | boolean, types: ReleasedConnector['types']): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const shape = schema.$ref === undefined ? undefined : types[schema.$ref.replace('#/$defs/', '')];
  if (shape !== undefined) return fieldsOf(shape, types);
  if (schema.type !== 'object' || schema.anyOf !== undefined) return [];
  // Excludes properties that the schema's `namedBy` lists, because each variant of the output object has only one of
  // them.
  const ofKinds = Object.values(schema.namedBy ?? {}).flat();
  return Object.keys(schema.properties ?? {}).filter((field) => !ofKinds.includes(field));
}

function callsOf(
  id: string,
  [name, { entries, examples }]: readonly [string, ReleasedTool],
  types: ReleasedConnector['types'],
): readonly string[] {
  const method = methodName({ name, connector: id });
  const current = entries.find(({ status }) => status === 'current');
  return examples.map((example) => {
    const contract = example.version ?? current?.schema_version;
    const entry = entries.find(({ schema_version }) => schema_version === contract);
    const fields = fieldsOf(entry?.output ?? true, types).map(
      (field) => `, result.data[${JSON.stringify(field)}]`,
    );
    const call = `tools.${method}(${JSON.stringify(example.input)}, { schemaVersion: '${contract}' })`;
    return `{ const result = await ${call}; use(result${fields.join('')}); }`;
  });
}

function programOf(id: string, { tools, types }: ReleasedConnector): string {
  return [
    `import { ${id}, createClient } from '@svc/${id}';`,
    `const tools = ${id}(createClient(), 'acct_1');`,
    'const use = (..._values: readonly unknown[]) => {};',
    ...Object.entries(tools).flatMap((tool) => callsOf(id, tool, types)),
  ].join('\n');
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const withTools = Object.entries(connectors).filter(([, { tools }]) => Object.keys(tools).length > 0);
for (const [id, connector] of withTools)
  writeFileSync(path.join(FOLDER, `${id}.ts`), programOf(id, connector));
writeFileSync(path.join(FOLDER, 'tsconfig.json'), JSON.stringify(TSCONFIG));
const { code } = await run('tsc', ['-p', FOLDER]);
const examples = Object.values(connectors).flatMap(({ tools }) =>
  Object.values(tools).flatMap((tool) => tool.examples),
);
const what = isAnythingReleased() ? 'the last release' : 'the coming first release';
if (code === 0) rmSync(FOLDER, { recursive: true });
console.log(
  `${examples.length} examples of ${what} ${code === 0 ? 'compile' : 'do not all compile; the lines above name the tools that changed'}`,
);
process.exitCode = code;
