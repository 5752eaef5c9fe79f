import { once } from 'node:events';

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

/**
 * Returns the path of npx if npx runs this service with `--sandbox` and the sandbox is not installed. Returns
 * `undefined` otherwise, and also if the user chose packages by `--package`.
 */
export function npxWithoutSandbox(args: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const { npm_lifecycle_event: event, npm_config_package: packageOption, npm_execpath: npm } = env;
  const isRequested = args.includes('--sandbox') && event === 'npx' && !packageOption;
  return isRequested && isMissing(SANDBOX) ? npm : undefined;
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
  const { spawn } = await import('node:child_process');
  const packages = [`${name}@${version}`, `${SANDBOX}@${peerDependencies[SANDBOX]}`];
  const packageArgs = packages.flatMap((each) => ['--package', each]);
  const child = spawn(process.execPath, [npm, 'exec', ...packageArgs, '--', 'svc-server', ...args], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void child.kill(signal));
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
}
