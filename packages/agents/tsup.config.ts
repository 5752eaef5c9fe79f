import { defineConfig } from 'tsup';

const ADAPTERS = ['ai', 'anthropic', 'genkit', 'google', 'langchain', 'mastra', 'openai', 'openai-agents'];

export default defineConfig({
  entry: ['index', ...ADAPTERS].map((name) => `src/${name}.ts`),
  format: 'esm',
  target: 'es2022',
  dts: false,
  sourcemap: true,
  clean: true,
  // Only the conversion from a dialect back to the tool's input is used of the catalogue, and it has no dependencies.
  noExternal: ['@svc/catalog'],
});
