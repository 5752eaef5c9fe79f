import type { Client } from '@svc/core';
import { siteFiles } from '@svc/filesite';
import { IDENTIFIER } from './connect.ts';
import { check, say } from './transcript.ts';

const LARGE = 6 * 1024 * 1024;

/**
 * Demo of the helper functions for files, which call the upstream through the proxy. Requests to signed links and
 * upload sessions never contain the user's token.
 */
export async function demoFilesite(svc: Client): Promise<void> {
  const files = siteFiles(svc, { connectionName: 'filesite', identifier: IDENTIFIER });
  const site = await files.getRootSite();
  say('recipe getRootSite', site.webUrl);
  const sites = await files.listSites();
  say(
    'recipe listSites',
    sites.map(({ displayName }) => displayName),
  );

  const text = new TextEncoder().encode('Launch on 1 December.\n');
  const small = await files.upload({ path: 'Launch plan #1.txt', content: text });
  say('recipe upload', small.webUrl);
  const { stream } = await files.download({ path: 'Launch plan #1.txt' });
  check(
    'the downloaded file equals the uploaded one',
    (await new Response(stream).text()) === 'Launch on 1 December.\n',
  );

  const steps: number[] = [];
  await files.upload(
    { path: 'Recording.bin', content: new Uint8Array(LARGE).fill(7) },
    { onProgress: ({ sent }) => steps.push(sent) },
  );
  check('6 MiB were uploaded in parts', steps.length > 1 && steps.at(-1) === LARGE);
}
