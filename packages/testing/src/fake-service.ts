import { type Catalog, loadCatalog } from '@svc/catalog';
import nock from 'nock';
import { createAnswer } from './answer.js';
import { type Application, createApplication } from './application.js';
import { createFakeAccounts } from './fake-accounts.js';
import { createFakes, type Fakes } from './fakes.js';

/** Options of a fake service. */
export interface FakeOptions {
  /** The address at which the tested code calls the service. Default: `SVC_ENVIRONMENT_URL`, else `http://svc.test`. */
  readonly environmentUrl?: string | undefined;
  /** Folders of private connectors. Default: none. */
  readonly catalog?: readonly string[] | undefined;
}

/** A service that is faked in this process. Nothing of it is on the network. */
export interface FakeService extends Application, Disposable {
  /** The tools, by connectors and methods: `fake.calendar.createEvent.replies(…)`. */
  readonly fake: Fakes;
  /** Ends it. Throws when anything was called wrongly, or replied so, since it began. */
  stop(): void;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const catalogs = new Map<string, Catalog>();
/** Running fakes by their addresses. */
const running = new Map<string, nock.Scope>();

// Catalogues are cached between tests, because compiling one takes long.
function catalogOf(folders: readonly string[]): Catalog {
  const key = folders.join('\0');
  const catalog = catalogs.get(key) ?? loadCatalog({ folders });
  catalogs.set(key, catalog);
  return catalog;
}

/** Intercepts requests to an origin and answers them. Returns a function that ends the interception. */
function intercept(origin: string, answer: ReturnType<typeof createAnswer>): () => void {
  if (running.has(origin))
    throw new Error(`A fake of ${origin} is running: stop it, or give another environmentUrl.`);
  if (!nock.isActive()) nock.activate();
  // A stopped fake leaves its URL to real requests.
  const scope = nock(origin, { allowUnmocked: true }).persist();
  running.set(origin, scope);
  const interceptors = METHODS.map((method) => scope.intercept(/^\//, method));
  for (const interceptor of interceptors) interceptor.reply((request: Request) => answer(request));
  return () => {
    for (const interceptor of interceptors) nock.removeInterceptor(interceptor);
    if (running.get(origin) === scope) running.delete(origin);
  };
}

/** Fakes the service for every client in this process. Tools return the examples of the catalogue, or what the test planned. */
export function fakeService({
  environmentUrl = process.env['SVC_ENVIRONMENT_URL'] || 'http://svc.test',
  catalog: folders = [],
}: FakeOptions = {}): FakeService {
  const catalog = catalogOf(folders);
  const { fake, planned } = createFakes(catalog);
  const mistakes: string[] = [];
  const { origin, pathname } = new URL(environmentUrl);
  const answer = createAnswer({
    catalog,
    planned,
    accounts: createFakeAccounts(),
    base: pathname.replace(/\/$/, ''),
    report: (sentence) => mistakes.push(sentence),
  });
  const end = intercept(origin, answer);
  const stop = () => {
    end();
    const sentences = mistakes.splice(0);
    if (sentences.length > 0) throw new Error(sentences.join('\n'));
  };
  const credentials = { environmentUrl, clientId: 'app_fake', clientSecret: 'svc_sk_fake' };
  return { ...createApplication(credentials), fake, stop, [Symbol.dispose]: stop };
}
