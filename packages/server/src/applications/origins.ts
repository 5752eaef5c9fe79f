import { ServiceError } from '../errors.js';
import type { Storage } from '../storage/storage.js';
import { createTtlCache } from '../storage/ttl-cache.js';
import type { Bearer } from '../tokens/narrowed-tokens.js';

export interface OriginsParts {
  readonly storage: Pick<Storage, 'applicationOrigins'>;
  readonly now: () => number;
}

/** Where applications' pages come from: what a browser says in the header `Origin`. */
export interface Origins {
  /** Whether any application has registered it: enough to tell a browser what it may send, not to answer it. */
  isKnown(origin: string): Promise<boolean>;
  /** Throws origin_not_allowed for one that is not the application's. */
  checkOf(applicationId: string, origin: string): Promise<void>;
  /** The same for a call with a token, and for the application's own token from any. */
  check(bearer: Bearer, origin: string): Promise<void>;
  /** Must be called after every change in this process. */
  clear(): void;
}

const MOST_ORIGINS = 50;
const LONGEST = 256;
/** Anybody can send others, and so fill what is kept. */
const MOST_BYTES = 2 ** 20;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function isOrigin(value: string): boolean {
  if (value.length > LONGEST || value.includes('*') || !URL.canParse(value)) return false;
  const { origin, protocol, hostname } = new URL(value);
  return origin === value && (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname)));
}

/** The origins that an application registers, each once. Throws invalid_request. */
export function checkOrigins(origins: readonly string[]): readonly string[] {
  if (origins.length > MOST_ORIGINS)
    throw new ServiceError('invalid_request', `An application has ${MOST_ORIGINS} origins at most.`);
  const wrong = origins.find((origin) => !isOrigin(origin));
  if (wrong === undefined) return [...new Set(origins)];
  throw new ServiceError(
    'invalid_request',
    `"${wrong}" is not an origin as browsers send it; give one such as https://app.example.com, without a path or a slash at its end, or http://localhost:3000 while you develop.`,
  );
}

export function createOrigins({ storage: { applicationOrigins }, now }: OriginsParts): Origins {
  const answers = createTtlCache<{ readonly key: string; readonly isRegistered: boolean }>({
    now,
    lengthOf: ({ key }) => key.length,
    maxBytes: MOST_BYTES,
  });

  async function find(key: string, read: () => Promise<boolean>): Promise<boolean> {
    const known = answers.get(key);
    if (known) return known.isRegistered;
    const answer = await answers.fill(
      async () => ({ key, isRegistered: await read() }),
      () => key,
    );
    return answer.isRegistered;
  }

  // No origin holds a line break.
  async function checkOf(applicationId: string, origin: string): Promise<void> {
    const isOwn =
      isOrigin(origin) &&
      (await find(`${applicationId}\n${origin}`, () => applicationOrigins.has(applicationId, origin)));
    if (isOwn) return;
    throw new ServiceError(
      'origin_not_allowed',
      'The page that sent this comes from an origin that the application has not registered: an operator adds it to the application, as the browser sends it in the header "origin".',
    );
  }

  return {
    isKnown: async (origin) => isOrigin(origin) && find(origin, () => applicationOrigins.isKnown(origin)),

    checkOf,

    async check({ applicationId, token }, origin) {
      if (token === undefined)
        throw new ServiceError(
          'origin_not_allowed',
          "An application's own token opens all of its accounts and has no place in a browser: make one for this user by POST /v1/account-tokens.",
        );
      await checkOf(applicationId, origin);
    },

    clear: answers.clear,
  };
}
