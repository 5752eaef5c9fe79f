import { createTtlCache } from '../concurrency/ttl-cache.js';
import { ServiceError } from '../errors.js';
import type { Storage } from '../storage/storage.js';
import type { Bearer } from '../tokens/narrowed-tokens.js';

const MAX_ORIGINS = 50;
const MAX_CHARACTERS = 256;
/** Maximum bytes of the cache of web page origins. The bound is needed because anyone can send invented origins. */
const MAX_BYTES = 2 ** 20;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function isOrigin(value: string): boolean {
  if (value.length > MAX_CHARACTERS || value.includes('*') || !URL.canParse(value)) return false;
  const { origin, protocol, hostname } = new URL(value);
  return origin === value && (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname)));
}

/** Returns the web page origins without duplicates. Throws invalid_request for an invalid origin. */
export function checkOrigins(origins: readonly string[]): readonly string[] {
  if (origins.length > MAX_ORIGINS)
    throw new ServiceError(
      'invalid_request',
      `An application can have at most ${MAX_ORIGINS} origins, but you sent more. Remove some.`,
    );
  const wrong = origins.find((origin) => !isOrigin(origin));
  if (wrong === undefined) return [...new Set(origins)];
  throw new ServiceError(
    'invalid_request',
    `"${wrong}" is not an origin that can be registered. Send one such as https://app.example.com, without a path or final slash. Only localhost can use http, such as http://localhost:3000.`,
  );
}

/** Creates the check of the `Origin` header, which browsers send for web pages of an application. */
export function createOrigins({
  storage: { applicationOrigins },
  now,
}: {
  readonly storage: Pick<Storage, 'applicationOrigins'>;
  readonly now: () => number;
}) {
  const cache = createTtlCache<{ readonly key: string; readonly isRegistered: boolean }>({
    now,
    lengthOf: ({ key }) => key.length,
    maxBytes: MAX_BYTES,
  });

  async function find(key: string, read: () => Promise<boolean>): Promise<boolean> {
    const known = cache.get(key);
    if (known) return known.isRegistered;
    const entry = await cache.fill(
      async () => ({ key, isRegistered: await read() }),
      () => key,
    );
    return entry.isRegistered;
  }

  /** Throws origin_not_allowed if the application has not registered the origin of the web page. */
  async function checkOf(applicationId: string, origin: string): Promise<void> {
    // Checks whether the origin is registered for this application. The cache key is the application id, a line break
    // and the origin. `isOrigin` excludes line breaks, so keys of two applications never collide.
    const isOwn =
      isOrigin(origin) &&
      (await find(`${applicationId}\n${origin}`, () => applicationOrigins.has(applicationId, origin)));
    if (isOwn) return;
    throw new ServiceError(
      'origin_not_allowed',
      'The origin of the web page is not registered for the application. Ask an operator to register it, exactly as the browser sends it in the header "origin".',
    );
  }

  /**
   * True if any application has registered the origin. A preflight request has no token, so its response cannot depend
   * on the application.
   */
  async function isKnown(origin: string): Promise<boolean> {
    return isOrigin(origin) && find(origin, () => applicationOrigins.isKnown(origin));
  }

  /**
   * Throws origin_not_allowed if the bearer's application has not registered the origin. Also throws for every browser
   * request with an access token of the application, because that token gives access to the accounts of all users.
   */
  async function check({ applicationId, token }: Bearer, origin: string): Promise<void> {
    if (token === undefined)
      throw new ServiceError(
        'origin_not_allowed',
        'This access token gives access to all accounts of the application, so browsers must not use it. On your server, create an account token with POST /v1/account-tokens.',
      );
    await checkOf(applicationId, origin);
  }

  return {
    isKnown,
    checkOf,
    check,
    /** Clears the cache of web page origins. Call it after every change of registered origins in this process. */
    clear: cache.clear,
  };
}

export type Origins = ReturnType<typeof createOrigins>;
