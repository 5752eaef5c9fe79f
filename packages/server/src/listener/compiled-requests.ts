import type { CompiledRequest } from './check-request.js';

/**
 * Validators that the build compiled from the schemas of requests, by the digests of the schemas. The build writes its own file of
 * this name into dist/, so that this one is empty: it serves a service that runs from its sources.
 */
export const compiledRequests: Readonly<Record<string, CompiledRequest>> = {};
