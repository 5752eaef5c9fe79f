import type { Catalog } from '@svc/catalog';
import type { Handler } from './handler.js';

/** Handlers by tool name. Each takes the input that its tool's schema describes. */
export type HandlerTable = Readonly<Record<string, Handler<never>>>;

/** Throws when the catalogue holds a tool that this service cannot run, so that it is found at the start. */
export function checkTools({ tools }: Pick<Catalog, 'tools'>, handlers: HandlerTable): void {
  const problems = [...tools.values()].flatMap(({ name, versions }) =>
    versions.some(({ handler }) => handler) && !Object.hasOwn(handlers, name)
      ? [`"${name}" is marked "handler": true, but the service has no handler of that name.`]
      : [],
  );
  if (problems.length > 0) throw new Error(['The catalogue cannot be served:', ...problems].join('\n'));
}
