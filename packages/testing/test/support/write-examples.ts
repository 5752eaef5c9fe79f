import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadCatalog, type Tool } from '@svc/catalog';

const README = fileURLToPath(new URL('../../README.md', import.meta.url));
const BASE = fileURLToPath(new URL('../../../../tsconfig.base.json', import.meta.url));
const CONNECTORS = fileURLToPath(new URL('../../../connectors/', import.meta.url));

/** Folder of the examples. It is inside the package, so that imports resolve as in a user's tests. */
export const EXAMPLES = fileURLToPath(new URL('../.readme/', import.meta.url));

/** Name of the program with the type checks of every tool's fake. */
export const EVERY_TOOL = 'every-tool.ts';

const { connectors, tools } = loadCatalog();

/** Returns the name of a tool's fake in a test, such as `calendar.createEvent`. */
export const fakeName = ({ name, connector }: Tool): string =>
  `${connector}.${name.slice(connector.length + 1).replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

const linesOf = (tool: Tool): string => `
fake.${fakeName(tool)}.replies(some<ToolNamed<'${tool.name}'>['output']>());
// @ts-expect-error a reply is never a symbol
fake.${fakeName(tool)}.replies(some<symbol>());
some<ToolNamed<'${tool.name}'>['input'][]>().push(...fake.${fakeName(tool)}.calls.map(({ input }) => input));
`;

const everyTool = (): string =>
  [
    "import { fakeService } from '@svc/testing';",
    "import type { ToolNamed } from '@svc/core';",
    ...[...connectors.keys()].map((id) => `import '@svc/${id}';`),
    'declare function some<Type>(): Type;',
    'const { fake } = fakeService();',
    ...[...tools.values()].map(linesOf),
  ].join('\n');

/** Writes the example of each README section to its own file, and the program with the type checks. */
export function writeExamples(): void {
  rmSync(EXAMPLES, { recursive: true, force: true });
  mkdirSync(EXAMPLES, { recursive: true });
  const sections = readFileSync(README, 'utf8').split('\n## ').slice(1);
  for (const section of sections) {
    const [heading = ''] = section.split('\n', 1);
    const example = section.split('```ts\n')[1]?.split('\n```')[0] ?? '';
    writeFileSync(`${EXAMPLES}${heading.toLowerCase().replaceAll(' ', '-')}.ts`, `${example}\n`);
  }
  writeFileSync(EXAMPLES + EVERY_TOOL, everyTool());
  const paths = Object.fromEntries(
    [...connectors.keys()].map((id) => [`@svc/${id}`, [`${CONNECTORS}${id}/src/index.ts`]]),
  );
  const config = {
    extends: BASE,
    compilerOptions: { noEmit: true, types: ['node'], paths },
    include: ['*.ts'],
  };
  writeFileSync(`${EXAMPLES}tsconfig.json`, JSON.stringify(config));
}
