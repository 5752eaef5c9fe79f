import { defineConfig } from 'tsup';

const ADAPTERS = ['ai', 'anthropic', 'genkit', 'google', 'langchain', 'mastra', 'openai', 'openai-agents'];

export default defineConfig({
  entry: ['index', ...ADAPTERS].map((name) => `src/${name}.ts`),
  format: 'esm',
  target: 'es2022',
  dts: false,
  sourcemap: true,
  clean: true,
  // Of the catalogue only the way back from a dialect is used, which needs nothing else.
  noExternal: ['@svc/catalog'],
});
