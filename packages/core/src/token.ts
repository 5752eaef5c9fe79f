import type { GivenToken } from './config.js';
import type { Settings } from './settings.js';

/** Gives the token of a call, and another one than the one that was refused. */
export type TokenSource = (refused?: Promise<string>) => Promise<string>;

/** Keeps one token for all calls; asks for the next when nine tenths of its life are over, or when it was refused. */
export function sharedToken(origin: Settings['accessToken']): TokenSource {
  let token: Promise<string> | undefined;
  let renewAt = 0;
  const renew = async () => {
    let given: (string & Partial<Exclude<GivenToken, string>>) | undefined;
    try {
      given = (await (typeof origin === 'string' ? origin : origin())) as NonNullable<typeof given>;
      return given.token ?? given;
    } finally {
      // How long a text is good it does not say, nor does a failure: this is no number then.
      renewAt = Date.now() * 0.1 + Date.parse(given?.expiresAt as string) * 0.9;
    }
  };
  return (refused) => {
    // Of many calls that were refused with one token only the first renews it: the others get its successor.
    if (!token || token === refused || !(Date.now() < renewAt)) {
      renewAt = Infinity;
      token = renew();
    }
    return token;
  };
}
