import { once } from 'node:events';

const SANDBOX = '@svc/sandbox';

/** The fields of the service's own package.json that name the packages to install. */
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
 * Where npx is that runs a service without the sandbox that it is asked for: npx installs what it is named, and a service for real
 * users has no need of one. Where packages were named, it is for whoever named them to name it too.
 */
export function npxWithoutSandbox(args: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const { npm_lifecycle_event: event, npm_config_package: named, npm_execpath: npm } = env;
  const isAsked = args.includes('--sandbox') && event === 'npx' && !named;
  return isAsked && isMissing(SANDBOX) ? npm : undefined;
}

/** Has npx start this service again beside its sandbox, and ends as that does. It asks before it installs, unless it was told `--yes`. */
export async function bringSandbox(
  npm: string,
  args: readonly string[],
  { name, version, peerDependencies }: Manifest,
): Promise<void> {
  const { spawn } = await import('node:child_process');
  const packages = [`${name}@${version}`, `${SANDBOX}@${peerDependencies[SANDBOX]}`];
  const named = packages.flatMap((each) => ['--package', each]);
  const child = spawn(process.execPath, [npm, 'exec', ...named, '--', 'svc-server', ...args], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void child.kill(signal));
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
}
