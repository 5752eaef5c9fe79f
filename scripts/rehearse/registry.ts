import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../free-port.ts';
import type { Tools } from './tools.ts';
import { newFolder, RehearsalError, run, start, writeFiles } from './workplace.ts';

/** Local npm registry, and the environment variables that make package managers use it. */
export interface Registry {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Returns the configuration of verdaccio, an npm registry. It serves `@svc` packages itself, and forwards requests for
 * all others to npm's registry.
 */
const configOf = (storage: string, upstream: string) => ({
  storage,
  max_body_size: '200mb',
  uplinks: { upstream: { url: upstream, cache: true, timeout: '60s', max_fails: 10 } },
  packages: {
    '@svc/*': { access: '$all', publish: '$all', unpublish: '$all' },
    '**': { access: '$all', proxy: 'upstream' },
  },
  log: { type: 'stdout', format: 'pretty', level: 'warn' },
});

/** Starts verdaccio, an npm registry, on 127.0.0.1. */
export async function startRegistry({ find }: Tools): Promise<Registry> {
  const verdaccio = find('verdaccio/bin/verdaccio');
  if (verdaccio === undefined)
    throw new RehearsalError('verdaccio is not installed; run npm run check once to install the tools');
  const folder = newFolder('registry');
  const upstream =
    (await run('npm', ['config', 'get', 'registry'], { cwd: folder })).trim().split('\n').at(-1) ?? '';
  const address = `127.0.0.1:${await freePort()}`;
  const url = `http://${address}/`;
  mkdirSync(path.join(folder, 'storage'));
  // Writes verdaccio's configuration as JSON, because every JSON document is also valid YAML.
  writeFiles(folder, {
    'config.yaml': configOf(path.join(folder, 'storage'), upstream),
    // npm requires a token for publishing. The local registry accepts any token.
    npmrc: `registry=${url}\n//${address}/:_authToken=rehearsal\n`,
  });
  start(process.execPath, [verdaccio, '--config', 'config.yaml', '--listen', address], { cwd: folder });
  await waitUntilReady(`${url}-/ping`);
  const cache = newFolder('caches');
  return {
    url,
    env: {
      NPM_CONFIG_USERCONFIG: path.join(folder, 'npmrc'),
      NPM_CONFIG_REGISTRY: url,
      NPM_CONFIG_CACHE: path.join(cache, 'npm'),
      NPM_CONFIG_UPDATE_NOTIFIER: 'false',
      pnpm_config_registry: url,
      pnpm_config_minimum_release_age: '0',
      pnpm_config_store_dir: path.join(cache, 'pnpm'),
      YARN_NPM_REGISTRY_SERVER: url,
      YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
      YARN_ENABLE_TELEMETRY: '0',
      YARN_ENABLE_GLOBAL_CACHE: 'false',
      // Yarn gets its own cache folder, because its shared cache contains package URLs of npm's registry.
      YARN_GLOBAL_FOLDER: path.join(cache, 'yarn-global'),
      YARN_CACHE_FOLDER: path.join(cache, 'yarn'),
      YARN_NPM_MINIMAL_AGE_GATE: '0',
      BUN_CONFIG_REGISTRY: url,
      BUN_INSTALL_CACHE_DIR: path.join(cache, 'bun'),
      DENO_DIR: path.join(cache, 'deno'),
      CI: '1',
    },
  };
}

async function waitUntilReady(url: string): Promise<void> {
  for (let tries = 0; tries < 120; tries += 1) {
    const isThere = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new RehearsalError(`The registry did not respond on ${url} in time. Run the rehearsal again`);
}
