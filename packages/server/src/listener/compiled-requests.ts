import type { CompiledRequest } from './check-request.js';

/**
 * What the build compiled of the schemas of requests, by their digests: it puts a file of this name beside what it builds.
 * Empty where the service runs from its sources.
 */
export const compiledRequests: Readonly<Record<string, CompiledRequest>> = {};
