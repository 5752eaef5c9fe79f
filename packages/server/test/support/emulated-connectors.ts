import { loadCatalog } from '@svc/catalog';
import { startSandbox } from '@svc/sandbox';

// An emulator is nothing that a connector must have.
const { upstreams, stop } = await startSandbox({ rateLimits: false });
await stop();
const emulated = upstreams.map(({ id }) => id);

/** Connectors with tools that can be called here. */
export const emulatedConnectors = [...loadCatalog().connectors.values()].filter(
  ({ id, tools }) => tools.length > 0 && emulated.includes(id),
);
