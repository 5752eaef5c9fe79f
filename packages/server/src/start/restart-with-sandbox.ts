import { once } from 'node:events';
import { whenNpxEnds } from './when-npx-ends.js';

const SANDBOX = '@svc/sandbox';

/** Fields of the service's package.json that npx needs to install the service and the sandbox. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly peerDependencies: { readonly [SANDBOX]: string };
}

function isMissing(name: string): boolean {
  try {
    import.meta.resolve(name);
    return false;
  } catch {
    return true;
  }
}

/** Part of the path of npm's cache for `npx`. */
const NPX_CACHE = '/_npx/';

/**
 * Returns the path of npx if npx downloaded this service and runs it with `--sandbox`, without the sandbox. Returns
 * `undefined` otherwise, and also if the user chose packages by `--package`. A service that is installed in a project
 * is not restarted, because it would not find a sandbox in the cache of npx.
 */
export function npxWithoutSandbox(args: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const { npm_lifecycle_event: event, npm_config_package: packageOption, npm_execpath: npm } = env;
  const isDownloaded = import.meta.url.includes(NPX_CACHE);
  const isRequested = args.includes('--sandbox') && event === 'npx' && !packageOption && isDownloaded;
  return isRequested && isMissing(SANDBOX) ? npm : undefined;
}

/** Runs `npm exec` until it ends, and passes signals on. Resolves to its exit code. */
async function exec(npm: string, args: readonly string[]): Promise<number> {
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, [npm, 'exec', ...args], {
    stdio: 'inherit',
    // Makes npm give up after two seconds instead of a minute if there is no network.
    env: {
      ...process.env,
      npm_config_fetch_retry_mintimeout: '500',
      npm_config_fetch_retry_maxtimeout: '1000',
    },
  });
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, pass);
  whenNpxEnds(() => pass('SIGTERM'));
  const [code] = await once(child, 'exit');
  for (const each of signals) process.off(each, pass);
  return code ?? 1;
}

/**
 * Restarts this service by npx together with the sandbox, and exits with its exit code. npx asks the user before it
 * installs a package, unless it runs with `--yes`.
 */
export async function restartWithSandbox(
  npm: string,
  args: readonly string[],
  { name, version, peerDependencies }: Manifest,
): Promise<void> {
  const sandbox = `${SANDBOX}@${peerDependencies[SANDBOX]}`;
  const packages = [`${name}@${version}`, sandbox];
  process.stderr.write(
    `npx now installs ${SANDBOX}, which --sandbox needs, and then starts ${packages.join(' with ')}.\n`,
  );
  const packageArgs = packages.flatMap((each) => ['--package', each]);
  // Installs the packages by a command that does nothing, so that a failed installation differs from a failed service.
  const installed = await exec(npm, [...packageArgs, '--', 'node', '-e', '0']);
  if (installed !== 0)
    process.stderr.write(
      `npx could not install ${sandbox}. Check that this machine reaches npm's registry (\`npm ping\`), or start without --sandbox.\n`,
    );
  process.exitCode =
    installed || (await exec(npm, ['--prefer-offline', ...packageArgs, '--', 'svc-server', ...args]));
}
