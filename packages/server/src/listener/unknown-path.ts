import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.js';

const segmentsOf = (path: string): readonly string[] => path.split('/');

/** Whether a path, in the router's own spelling, takes in the one that was asked for. */
function fits(known: readonly string[], asked: readonly string[]): boolean {
  if (known.at(-1) === '*') {
    const stem = known.slice(0, -1);
    return asked.length > stem.length && fits(stem, asked.slice(0, stem.length));
  }
  return (
    known.length === asked.length &&
    known.every((segment, index) => {
      const there = asked[index] ?? '';
      return segment.startsWith(':') ? there !== '' : segment === there;
    })
  );
}

/** Answers what no route takes: other methods of the path are named where there are any. Routes are registered afterwards. */
export function refuseUnknown(app: FastifyInstance): void {
  const known: { readonly path: readonly string[]; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    known.push({ path: segmentsOf(url), methods: [method].flat() });
  });
  app.setNotFoundHandler(({ method, url }: FastifyRequest) => {
    const asked = segmentsOf(url.split('?', 1)[0] ?? '');
    const taken = known.filter(({ path }) => fits(path, asked)).flatMap(({ methods }) => methods);
    if (taken.length === 0)
      throw new ServiceError('not_found', 'There is nothing here. GET /openapi.json lists the operations.');
    const allow = [...new Set(taken)].sort();
    throw new ServiceError('method_not_allowed', `${method} is not taken here, but ${allow.join(', ')}.`, {
      allow,
    });
  });
}
