import type { Connector } from '@svc/catalog';
import { dialectsOf } from './schemas-module.js';
import { LINE_WIDTH } from './source-text.js';

/** Facts about the output folder that change the configuration files of generated packages. */
export interface Surroundings {
  /**
   * Relative path from a generated package to the workspace's `tsconfig.base.json`. Undefined if the file does not
   * exist.
   */
  readonly baseConfig: string | undefined;
  /** True if the packages belong to the pnpm workspace of `@svc/core`. */
  readonly isWorkspace: boolean;
  /** True if the package has hand-written recipes, which may use functions of the platform. */
  readonly hasRecipes: boolean;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns the package.json of a connector package. Overwrites fields that come from the catalogue, and keeps fields
 * that a person has set.
 */
export function packageJson(
  name: string,
  connector: Connector,
  existing: Json,
  { isWorkspace }: Surroundings,
): string {
  const entry = (file: string) => ({ types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` });
  const decided = {
    name,
    version: existing['version'] ?? '0.0.0',
    description: `Typed tools of ${connector.title} for agents and applications, through the agent connector service.`,
    keywords: ['agent', 'ai', 'connector', 'tools', 'typed', connector.id, ...keywordsOf(connector)],
    license: existing['license'] ?? 'Apache-2.0',
    type: 'module',
    engines: { node: '>=22.18' },
    sideEffects: false,
    exports: {
      '.': entry('index'),
      './schemas': entry('schemas'),
      ...Object.fromEntries(
        entriesOfTools(connector).map((file) => [`./${file}`, entry(`generated/${file}`)]),
      ),
      './package.json': './package.json',
    },
    files: ['dist', 'CHANGELOG.md'],
    // Makes packages outside this workspace private by default. Their owner may choose another npm registry.
    publishConfig: isWorkspace
      ? { access: 'public' }
      : (existing['publishConfig'] ?? { access: 'restricted' }),
    scripts: {
      ...(isWorkspace ? {} : (existing['scripts'] as object | undefined)),
      build: 'tsup && tsc -p tsconfig.build.json',
      prepack: PREPACK,
      typecheck: 'tsc -p tsconfig.json',
      ...(isWorkspace && { test: 'vitest run --passWithNoTests' }),
    },
    dependencies: existing['dependencies'] ?? { '@svc/core': isWorkspace ? 'workspace:^' : '^1.0.0' },
    ...(isWorkspace ? {} : { devDependencies: { tsup: '*', typescript: '*' } }),
  };
  const preserved = Object.entries(existing).filter(
    ([key]) => key === 'devDependencies' || !(key in decided),
  );
  return `${JSON.stringify({ ...decided, ...Object.fromEntries(preserved) }, null, 2)}\n`;
}

/** Returns the package entries that contain only generated code. Empty for a connector without tools. */
const entriesOfTools = (connector: Connector): readonly string[] => [
  ...dialectsOf(connector).map((dialect) => `schemas/${dialect}`),
  ...(connector.tools.length === 0 ? [] : ['validate']),
];

/** npm `prepack` script that fails if a connector package is packed before it is built. */
const PREPACK = `node --eval "['index.js', 'index.d.ts', 'schemas.js', 'schemas.d.ts'].forEach((file) => fs.accessSync('dist/' + file))"`;

function keywordsOf({ id, title }: Connector): readonly string[] {
  return title
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2 && word !== id);
}

/** Returns the configuration files of a connector package by file name. */
export function configFiles(
  connector: Connector,
  { baseConfig, hasRecipes }: Surroundings,
): Readonly<Record<string, string>> {
  const base = baseConfig === undefined ? {} : { extends: baseConfig };
  const options = baseConfig === undefined ? OWN_OPTIONS : {};
  const emit = { rootDir: 'src', outDir: 'dist', emitDeclarationOnly: true };
  const json = (value: unknown) => `${jsonText(value)}\n`;
  return {
    'tsconfig.json': json({
      ...base,
      compilerOptions: { ...options, noEmit: true, types: baseConfig === undefined ? [] : ['node'] },
      include: ['src', 'test', '*.config.ts'],
    }),
    'tsconfig.build.json': json({
      ...base,
      compilerOptions: { ...options, ...emit, ...(hasRecipes ? { types: ['node'] } : {}) },
      include: ['src'],
    }),
    'tsup.config.ts': tsupConfig(connector),
  };
}

const OWN_OPTIONS = {
  target: 'ES2023',
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  strict: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  declaration: true,
  types: [],
};

const tsupConfig = (connector: Connector): string => {
  const entries = [
    "index: 'src/index.ts'",
    "schemas: 'src/schemas.ts'",
    ...entriesOfTools(connector).map((name) => `'generated/${name}': 'src/generated/${name}.ts'`),
  ];
  return `import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    ${entries.join(',\n    ')},
  },
  format: 'esm',
  target: 'es2022',
  dts: false,
  clean: true,
  minifySyntax: true,
});
`;
};

/**
 * Formats JSON as the repository's formatter does: a list stays on one line if it fits, an object gets several lines.
 */
function jsonText(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => jsonText(item, inner))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => `${JSON.stringify(key)}: ${jsonText(member, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const line = `${open}${parts.join(', ')}${close}`;
  if (parts.length === 0 || (isList && !line.includes('\n') && inner.length + line.length < LINE_WIDTH))
    return line;
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}
