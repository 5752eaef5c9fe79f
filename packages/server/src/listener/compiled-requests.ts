import type { CompiledRequest } from './check-request.js';

/**
 * Request validators that the build compiles, by the digest of their schema. This file is empty, for a service that
 * runs from its sources. The build writes a filled one into dist/.
 */
export const compiledRequests: Readonly<Record<string, CompiledRequest>> = {};
