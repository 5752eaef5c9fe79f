import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    schemas: 'src/schemas.ts',
  },
  format: 'esm',
  target: 'es2022',
  dts: false,
  clean: true,
  minifySyntax: true,
});
