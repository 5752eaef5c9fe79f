import { ServiceError } from '../errors.js';
import type { Storage } from '../storage/storage.js';
import { createTtlCache } from '../storage/ttl-cache.js';
import type { Bearer } from '../tokens/narrowed-tokens.js';

const MOST_ORIGINS = 50;
const LONGEST = 256;
/** Bound of the cache, because anyone can send invented origins. */
const MOST_BYTES = 2 ** 20;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function isOrigin(value: string): boolean {
  if (value.length > LONGEST || value.includes('*') || !URL.canParse(value)) return false;
  const { origin, protocol, hostname } = new URL(value);
  return origin === value && (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname)));
}

/** Gives the distinct origins. Throws invalid_request for invalid ones. */
export function checkOrigins(origins: readonly string[]): readonly string[] {
  if (origins.length > MOST_ORIGINS)
    throw new ServiceError('invalid_request', `An application may have at most ${MOST_ORIGINS} origins.`);
  const wrong = origins.find((origin) => !isOrigin(origin));
  if (wrong === undefined) return [...new Set(origins)];
  throw new ServiceError(
    'invalid_request',
    `"${wrong}" is not an origin. Use the form that browsers send, such as https://app.example.com, without a path or final slash; for development http://localhost:3000.`,
  );
}

/** Origins of applications' pages, as browsers send them in the header `Origin`. */
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
    maxBytes: MOST_BYTES,
  });

  async function find(key: string, read: () => Promise<boolean>): Promise<boolean> {
    const known = cache.get(key);
    if (known) return known.isRegistered;
    const found = await cache.fill(
      async () => ({ key, isRegistered: await read() }),
      () => key,
    );
    return found.isRegistered;
  }

  /** Throws origin_not_allowed unless the application has registered the origin. */
  async function checkOf(applicationId: string, origin: string): Promise<void> {
    // Origins hold no line break, so the keys are distinct.
    const isOwn =
      isOrigin(origin) &&
      (await find(`${applicationId}\n${origin}`, () => applicationOrigins.has(applicationId, origin)));
    if (isOwn) return;
    throw new ServiceError(
      'origin_not_allowed',
      'The origin of the page is not registered with the application. An operator can add it, exactly as the browser sends it in the header "origin".',
    );
  }

  /** True if any application has registered the origin. Sufficient for a preflight response, not for a call. */
  async function isKnown(origin: string): Promise<boolean> {
    return isOrigin(origin) && find(origin, () => applicationOrigins.isKnown(origin));
  }

  /** Throws for origins as `checkOf` does, and for any origin with the application's own token. */
  async function check({ applicationId, token }: Bearer, origin: string): Promise<void> {
    if (token === undefined)
      throw new ServiceError(
        'origin_not_allowed',
        "An application's own token opens all of its accounts and has no place in a browser: make one for this user by POST /v1/account-tokens.",
      );
    await checkOf(applicationId, origin);
  }

  return {
    isKnown,
    checkOf,
    check,
    /** Must be called after every change in this process. */
    clear: cache.clear,
  };
}

export type Origins = ReturnType<typeof createOrigins>;
