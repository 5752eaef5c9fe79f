import { loadCatalog } from '@svc/catalog';
import { startSandbox } from '@svc/sandbox';

// Starts the sandbox only to learn which connectors it emulates, because a connector may exist without an emulator.
const { upstreams, stop } = await startSandbox({ rateLimits: false });
await stop();
const emulated = upstreams.map(({ id }) => id);

/** Connectors that have tools and an emulator, so that tests can call the tools. */
export const emulatedConnectors = [...loadCatalog().connectors.values()].filter(
  ({ id, tools }) => tools.length > 0 && emulated.includes(id),
);
