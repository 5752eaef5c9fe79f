import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    schemas: 'src/schemas.ts',
    'generated/schemas/openai-strict': 'src/generated/schemas/openai-strict.ts',
    'generated/schemas/anthropic-strict': 'src/generated/schemas/anthropic-strict.ts',
    'generated/schemas/gemini': 'src/generated/schemas/gemini.ts',
    'generated/validate': 'src/generated/validate.ts',
  },
  format: 'esm',
  target: 'es2022',
  dts: false,
  clean: true,
  minifySyntax: true,
});
