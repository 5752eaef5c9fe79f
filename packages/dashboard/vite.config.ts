import { defineConfig } from 'vite';
import { compressFiles } from './build/compress-files.ts';

const SERVICE = process.env['SVC_ENVIRONMENT_URL'] ?? 'http://localhost:4400';

export default defineConfig({
  // Relative URLs between the built files, because the service may run below a path such as `/svc`.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    // The content security policy forbids data: URLs for scripts, styles and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // The first page is a single file, which avoids further requests.
            { name: 'first', tags: ['$initial'], priority: 1 },
            // Modules that three or more pages share are one file, which avoids a dozen requests per page.
            { name: 'shared', minShareCount: 3 },
          ],
        },
      },
    },
  },
  // `vite` uses the operator API of the service that `npm start` runs.
  server: { proxy: { '/operator': { target: SERVICE, headers: { origin: SERVICE } } } },
  plugins: [compressFiles()],
});
