import type { ConnectorFile } from '@svc/catalog';
import { type Change, change } from './change.js';
import type { ReleasedUpstream } from './release-file.js';

/** Returns the part of a connector.json on which callers and connected accounts rely. */
export function describeUpstream({ auth, regions = {}, proxy }: ConnectorFile): ReleasedUpstream {
  const scopes = 'scopes' in auth ? auth.scopes : [];
  return {
    auth: auth.type,
    scopes: scopes.map(({ name }) => name),
    defaultScopes: scopes.filter((scope) => scope.default).map(({ name }) => name),
    credentials: 'credentials' in auth ? auth.credentials.map(({ name }) => name) : [],
    regions: Object.keys(regions),
    ...(proxy && {
      routes: proxy.routes.flatMap(({ methods = ['any method of'], path }) =>
        methods.map((method) => `${method} ${path}`),
      ),
    }),
  };
}

/** Compares the upstream settings of a connector.json with the released settings. */
export function compareUpstream(was: ReleasedUpstream, connector: ConnectorFile): readonly Change[] {
  const is = describeUpstream(connector);
  if (was.auth !== is.auth)
    return [
      change('breaking', 'auth', `the authorization of accounts changed from ${was.auth} to ${is.auth}`),
    ];
  const defaultScope = 'the default scope';
  return [
    ...compareList(was.scopes, is.scopes, { where: 'scopes', subject: 'the scope' }),
    ...compareList(was.credentials, is.credentials, {
      where: 'credentials',
      subject: 'the secondary credential',
    }),
    ...compareList(was.regions, is.regions, { where: 'regions', subject: 'the region' }),
    ...compareList(was.defaultScopes, is.defaultScopes, { where: 'scopes', subject: defaultScope }),
    ...compareRoutes(was.routes, is.routes),
  ];
}

function compareList(
  was: readonly string[],
  is: readonly string[],
  { where, subject }: { readonly where: string; readonly subject: string },
): readonly Change[] {
  const removed = was.filter((name) => !is.includes(name));
  const added = is.filter((name) => !was.includes(name));
  return [
    ...removed.map((name) => change('breaking', where, `${subject} ${name} was removed`)),
    ...added.map((name) => change('additive', where, `${subject} ${name} is new`)),
  ];
}

function compareRoutes(
  was: readonly string[] | undefined,
  is: readonly string[] | undefined,
): readonly Change[] {
  const where = 'proxy.routes';
  if (was === undefined)
    return is === undefined ? [] : [change('breaking', where, 'the proxy no longer accepts every path')];
  if (is === undefined) return [change('additive', where, 'the proxy now accepts every path')];
  const covers = (routes: readonly string[]) => {
    const whole = new Set(routes.filter((route) => route.startsWith('any ')).map(pathOf));
    return (route: string) => routes.includes(route) || whole.has(pathOf(route));
  };
  const [isIn, wasIn] = [covers(is), covers(was)];
  return compareList(
    was.filter((route) => !isIn(route)),
    is.filter((route) => !wasIn(route)),
    { where, subject: 'the route' },
  );
}

const pathOf = (route: string): string => route.slice(route.indexOf('/'));
