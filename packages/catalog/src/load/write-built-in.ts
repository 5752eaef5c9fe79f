import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { _, type Ajv2020, type CodeOptions } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { transformSync } from 'esbuild';
import { BUILT_IN, builtFile, precompiledFile } from '../built-in.js';
import type { Catalog } from '../catalog.js';
import { childSchemas } from '../child-schemas.js';
import { createAjv, createObjectRules, type ObjectRules } from '../input/create-ajvs.js';
import { withoutRuledDefaults } from '../input/ruled-input.js';
import { definitionsOf, type JsonSchema } from '../json-schema.js';
import type { Tool } from '../tool.js';
import { loadCatalog } from './load-catalog.js';

/**
 * Checks the built-in connectors and writes them to dist/, with compiled input validators. The service then starts
 * without compiling schemas.
 */
export function writeBuiltIn(): void {
  const catalog = loadCatalog({ fromFiles: true });
  const compileInput = createCompileInput(createObjectRules(() => new Date()));
  const write = (name: string, text: string) => writeFileSync(builtFile(name), text);
  rmSync(builtFile('inputs'), { recursive: true, force: true });
  mkdirSync(builtFile('inputs'), { recursive: true });
  write(BUILT_IN, JSON.stringify([...catalog.connectors.values()]));
  for (const tool of catalog.tools.values())
    write(precompiledFile(tool), moduleOf(catalog, tool, compileInput));
}

function moduleOf(catalog: Catalog, tool: Tool, compileInput: ReturnType<typeof createCompileInput>): string {
  const versions = tool.versions.map((version) => compileInput(catalog.plainInputSchemaOf(tool, version)));
  const code = `'use strict';\nmodule.exports = ({ rules, formats, require }) => [\n${versions.join(',\n')}\n];\n`;
  // Nobody debugs this code, and minified it takes a quarter less of the installed package.
  return transformSync(code, { minify: true, target: 'node22' }).code;
}

/** Creates a function that compiles an input schema to source code, which `createFindPrecompiled` runs later. */
function createCompileInput(rules: ObjectRules): (input: JsonSchema) => string {
  const code: CodeOptions = { source: true, formats: _`formats` };
  const first = createAjv(rules, { code, allErrors: false, verbose: false, messages: false });
  const all = createAjv(rules, { code, allErrors: true });
  for (const ajv of [first, all]) nameRules(ajv, rules);

  return (input) => {
    const schema = withoutRuledDefaults(input);
    const branches = unionBranches(schema).map(
      (branch) => [JSON.stringify(branch), codeOf(all, { ...branch, ...definitionsOf(schema) })] as const,
    );
    const listed = [...new Map(branches)].map(
      ([text, written]) => `${JSON.stringify(text)}: () => ${written}`,
    );
    return `{ isValid: ${codeOf(first, schema)}, listErrors: () => ${codeOf(all, schema)}, branches: { ${listed.join(',\n')} } }`;
  };
}

// Makes generated code refer to a keyword's function as `rules[keyword]`, because the code cannot contain the
// function itself.
function nameRules(ajv: Ajv2020, rules: ObjectRules): void {
  const names = new Map(Object.entries(rules).map(([keyword, rule]): [unknown, string] => [rule, keyword]));
  const plain = ajv.scope.value.bind(ajv.scope);
  ajv.scope.value = (prefix, value) => {
    const keyword = names.get(value.ref);
    return plain(prefix, keyword === undefined ? value : { ...value, code: _`rules[${keyword}]` });
  };
}

function codeOf(ajv: Ajv2020, schema: JsonSchema): string {
  return `((module, self) => { ${standalone.default(ajv, ajv.compile(schema))}; return module.exports; })({})`;
}

function unionBranches(schema: JsonSchema): readonly JsonSchema[] {
  return childSchemas(schema).flatMap(({ keyword, schema: child }) => [
    ...(keyword === 'anyOf' || keyword === 'oneOf' ? [child] : []),
    ...unionBranches(child),
  ]);
}
