import { defineConfig } from 'tsup';

const ADAPTERS = ['ai', 'anthropic', 'genkit', 'google', 'langchain', 'mastra', 'openai', 'openai-agents'];

export default defineConfig({
  entry: ['index', ...ADAPTERS].map((name) => `src/${name}.ts`),
  format: 'esm',
  target: 'es2022',
  dts: false,
  sourcemap: true,
  esbuildOptions: (options) => {
    options.sourcesContent = false;
  },
  clean: true,
  // Bundles the used part of the catalogue, which has no dependencies: the conversion of arguments from a dialect to
  // the tool's input.
  noExternal: ['@svc/catalog'],
});
