import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { BUILT_IN, builtFile } from './built-in.js';
import type { Catalog } from './catalog.js';
import { createCompileInput } from './compile-input.js';
import { loadCatalog } from './load-catalog.js';
import { createObjectRules } from './object-rules.js';
import { precompiledFile } from './precompiled.js';
import type { Tool } from './tool.js';

/** Checks the connectors that come with this package and writes down what a start and a call need of them. */
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
  return `'use strict';\nmodule.exports = ({ rules, formats, require }) => [\n${versions.join(',\n')}\n];\n`;
}
