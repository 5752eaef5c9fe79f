import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Sections of the README by framework, with the undeclared names that their examples use. */
export const SECTIONS = {
  ai: { heading: 'AI SDK', takes: ['model'] },
  openai: { heading: 'OpenAI, Responses API', takes: ['openai'] },
  'openai-agents': { heading: 'OpenAI Agents', takes: ['model'] },
  anthropic: { heading: 'Anthropic', takes: ['anthropic'] },
  langchain: { heading: 'LangChain', takes: ['model', 'checkpointer'] },
  google: { heading: 'Google GenAI', takes: ['google'] },
} as const;

/** Frameworks with several hundred packages, which only full runs install. */
export const HEAVY_SECTIONS = {
  mastra: { heading: 'Mastra', takes: ['model'] },
  genkit: { heading: 'Genkit', takes: ['ai', 'model'] },
} as const;

/** Framework for which the README has an example. */
export type Framework = keyof typeof SECTIONS | keyof typeof HEAVY_SECTIONS;

/** Folder of the examples. It is inside the package, so that imports resolve as in a user's program. */
export const FOLDER = fileURLToPath(new URL('../.readme/', import.meta.url));

/** Folder of the examples for the frameworks that only full runs install. */
export const HEAVY_FOLDER = fileURLToPath(new URL('../heavy/.readme/', import.meta.url));

interface Section {
  readonly heading: string;
  readonly takes: readonly string[];
}

/** Writes each example as a function. Its parameters are the undeclared names, and its result is the printed values. */
export function writeExamples(sections: Readonly<Record<string, Section>>, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, section] of Object.entries(sections)) {
    writeFileSync(`${folder}${name}.ts`, moduleOf(name, section));
  }
  writeFileSync(`${folder}tools.ts`, [START, 'Several accounts'].map(exampleUnder).join('\n'));
  const compilerOptions = {
    noEmit: true,
    types: ['node'],
    // Turns the option off, because LangChain's declarations do not compile with it.
    exactOptionalPropertyTypes: false,
  };
  const config = { extends: BASE, compilerOptions, include: ['*.ts'] };
  writeFileSync(`${folder}tsconfig.json`, JSON.stringify(config));
}

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));
const BASE = fileURLToPath(new URL('../../../../tsconfig.base.json', import.meta.url));

/** Heading that stands for the text before the first heading. */
const START = '';

/** Returns the first code example in a section of the README. */
export function exampleUnder(heading: string): string {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const after = heading === START ? readme : (readme.split(`\n## ${heading}\n`)[1] ?? '');
  const section = after.split('\n## ')[0] ?? '';
  const example = section.split('```ts\n')[1]?.split('\n```')[0];
  if (example === undefined) throw new Error(`The README has no example under "${heading}".`);
  return example;
}

function moduleOf(name: string, { heading, takes }: Section): string {
  const example = exampleUnder(heading);
  const lines = example.split('\n');
  const imports = lines.filter((line) => line.startsWith('import '));
  const body = lines.filter((line) => !line.startsWith('import '));
  const common = ['agentTools', 'prompt', 'approve', 'abortSignal'].filter((word) => example.includes(word));
  const parameter = `{ ${[...takes, ...common].join(', ')} }: Awaited<ReturnType<typeof modelOptions>> & Common`;
  return [
    ...imports,
    `import type { modelOptions } from '${PACKAGE}test/frameworks/${name}.js';`,
    `import type { Common } from '${PACKAGE}test/support/common.js';`,
    `export async function example(${parameter}): Promise<readonly unknown[]> {`,
    ...body.map((line) => line.replace(/^console\.log\((.*?)\);/, 'return [$1];')),
    '}',
    '',
  ].join('\n');
}
