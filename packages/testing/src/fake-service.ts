import { type Catalog, loadCatalog } from '@svc/catalog';
import nock from 'nock';
import { type Application, createApplication } from './application.js';
import { createFakeAccounts } from './fake-accounts.js';
import { createFakes, type Fakes } from './fakes.js';
import { createResponder } from './respond.js';

/** Options of a fake service. */
export interface FakeOptions {
  /**
   * Base URL at which the tested code calls the service. Default: `SVC_ENVIRONMENT_URL`, otherwise `http://svc.test`.
   */
  readonly environmentUrl?: string | undefined;
  /** Folders of private connectors. Default: none. */
  readonly catalog?: readonly string[] | undefined;
}

/** Fake of the service that intercepts the HTTP requests of this process. It opens no port. */
export interface FakeService extends Application, Disposable {
  /** Fake tools, by connector and method: `fake.calendar.createEvent.replies(…)`. */
  readonly fake: Fakes;
  /** Stops the fake service. Throws if the tested code made a wrong call, or if the test planned a wrong reply. */
  stop(): void;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const catalogs = new Map<string, Catalog>();
/** Interceptors of the running fake services, by the origin of their base URL. */
const running = new Map<string, nock.Scope>();

// Catalogues are cached between tests, because compiling one takes long.
function catalogOf(folders: readonly string[]): Catalog {
  const key = folders.join('\0');
  const catalog = catalogs.get(key) ?? loadCatalog({ folders });
  catalogs.set(key, catalog);
  return catalog;
}

/** Intercepts all HTTP requests to an origin and responds to them. Returns a function that ends the interception. */
function intercept(origin: string, respond: ReturnType<typeof createResponder>): () => void {
  if (running.has(origin))
    throw new Error(
      `A fake of ${origin} is running already. Stop that fake, or pass another "environmentUrl".`,
    );
  if (!nock.isActive()) nock.activate();
  // `allowUnmocked` lets requests to the origin pass after the fake has stopped.
  const scope = nock(origin, { allowUnmocked: true }).persist();
  running.set(origin, scope);
  const interceptors = METHODS.map((method) => scope.intercept(/^\//, method));
  for (const interceptor of interceptors) interceptor.reply((request: Request) => respond(request));
  return () => {
    for (const interceptor of interceptors) nock.removeInterceptor(interceptor);
    if (running.get(origin) === scope) running.delete(origin);
  };
}

/**
 * Fakes the service for all clients in this process. A tool returns the data of its example, or the outcome that the
 * test plans. Throws if a fake of the same origin is running.
 */
export function fakeService({
  environmentUrl = process.env['SVC_ENVIRONMENT_URL'] || 'http://svc.test',
  catalog: folders = [],
}: FakeOptions = {}): FakeService {
  const catalog = catalogOf(folders);
  const { fake, planned } = createFakes(catalog);
  const mistakes: string[] = [];
  const { origin, pathname } = new URL(environmentUrl);
  const respond = createResponder({
    catalog,
    planned,
    accounts: createFakeAccounts(),
    base: pathname.replace(/\/$/, ''),
    report: (sentence) => mistakes.push(sentence),
  });
  const end = intercept(origin, respond);
  const stop = () => {
    end();
    const sentences = mistakes.splice(0);
    if (sentences.length > 0) throw new Error(sentences.join('\n'));
  };
  const credentials = { environmentUrl, clientId: 'app_fake', clientSecret: 'svc_sk_fake' };
  return { ...createApplication(credentials), fake, stop, [Symbol.dispose]: stop };
}
