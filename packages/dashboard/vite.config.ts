import { defineConfig } from 'vite';
import { compressFiles } from './build/compress-files.ts';

const SERVICE = process.env['SVC_ENVIRONMENT_URL'] ?? 'http://localhost:4400';

export default defineConfig({
  base: '/dashboard/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    // The policy of the page allows no data: URL for scripts, styles and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What the first page needs is one file, so that nothing is asked for after it was read.
            { name: 'first', tags: ['$initial'], priority: 1 },
            // What several others are made of comes with one of them: a file for each part is a dozen requests for a page.
            { name: 'shared', minShareCount: 3 },
          ],
        },
      },
    },
  },
  // `vite` beside `npm start`: the page as it is being written, on the data of that service.
  server: { proxy: { '/operator': { target: SERVICE, headers: { origin: SERVICE } } } },
  plugins: [compressFiles()],
});
