import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { worsen } from '../../test/worsen.js';
import { InvalidInputError } from '../errors.js';
import type { Tool, ToolVersion } from '../tool.js';
import { loadCatalog } from './load-catalog.js';

const now = () => new Date('2026-11-20T12:00:00Z');
const built = loadCatalog({ now });
const fromFiles = loadCatalog({ now, fromFiles: true });

/** Validates an input of a tool version. Returns the input with defaults, or the rules that it breaks. */
function validate(catalog: typeof built, toolName: string, index: number, input: unknown): unknown {
  const tool = catalog.tools.get(toolName);
  const version = tool?.versions[index];
  if (tool === undefined || version === undefined) throw new Error(`${toolName} has no version ${index}`);
  try {
    return catalog.validateInput(tool, version, input);
  } catch (error) {
    if (error instanceof InvalidInputError) return error.errors;
    throw error;
  }
}

const inputsOf = (tool: Tool, { schema_version }: ToolVersion) =>
  tool.examples.flatMap(({ input, version = schema_version }) => (version === schema_version ? [input] : []));

test('the built connectors equal the connector files', () => {
  expect([...built.connectors.values()]).toEqual([...fromFiles.connectors.values()]);
});

test.each([...fromFiles.tools.values()])(
  'the build and ajv validate every input of $name with equal results',
  (tool) => {
    const inputs = tool.versions.flatMap((version, index) =>
      [{}, ...inputsOf(tool, version)].flatMap((good) =>
        [good, ...worsen(good)].map((input) => ({ index, input })),
      ),
    );
    const results = inputs.map(({ index, input }) => validate(built, tool.name, index, input));
    expect(results).toEqual(inputs.map(({ index, input }) => validate(fromFiles, tool.name, index, input)));
    expect(results.filter(Array.isArray).length).toBeGreaterThan(10);
  },
);

const PROGRAM = `
  import { createRequire } from 'node:module';
  import { loadCatalog } from '@svc/catalog';
  const catalog = loadCatalog();
  for (const tool of catalog.tools.values()) {
    for (const toolInput of [tool.examples[0].input, { none: 1 }]) {
      try { catalog.resolveCall(tool, { toolInput }); } catch (error) { if (error.name !== 'InvalidInputError') throw error; }
    }
  }
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  console.log(loaded.filter((file) => /ajv.dist.(core|2020|ajv)\\.js$/.test(file)).join());
`;

test('compiles no schema with ajv for built-in tools, with valid and invalid inputs', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  expect({ stdout, stderr }).toEqual({ stdout: '\n', stderr: '' });
});
