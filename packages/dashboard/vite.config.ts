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
    // What several pages are made of comes with the first one: a file for each part is a dozen requests for a page.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 3 }] } },
    },
  },
  // `vite` beside `npm start`: the page as it is being written, on the data of that service.
  server: { proxy: { '/operator': { target: SERVICE, headers: { origin: SERVICE } } } },
  plugins: [compressFiles()],
});
