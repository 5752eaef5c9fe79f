import type { Sandbox } from '@svc/sandbox';

/** SVC_ALLOWED_ORIGINS that lists each origin for each connector. */
export const listFor = (connectors: readonly string[], origins: readonly string[]): string =>
  connectors.flatMap((connector) => origins.map((origin) => `${connector}=${origin}`)).join();

/** The same for every connector that the sandbox emulates, the sandbox itself included. */
export const listForSandbox = ({ upstreams, url }: Sandbox, origins: readonly string[] = []): string =>
  listFor(
    upstreams.map(({ id }) => id),
    [url, ...origins],
  );
