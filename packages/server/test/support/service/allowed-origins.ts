import type { Sandbox } from '@svc/sandbox';

/** Returns a value for SVC_ALLOWED_ORIGINS that allows every origin for every connector. */
export const listFor = (connectors: readonly string[], origins: readonly string[]): string =>
  connectors.flatMap((connector) => origins.map((origin) => `${connector}=${origin}`)).join();

/** Returns a value for SVC_ALLOWED_ORIGINS that allows the sandbox's origin and `origins` for all its connectors. */
export const listForSandbox = ({ upstreams, url }: Sandbox, origins: readonly string[] = []): string =>
  listFor(
    upstreams.map(({ id }) => id),
    [url, ...origins],
  );
