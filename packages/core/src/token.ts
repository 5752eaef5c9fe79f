import type { ClientOptions } from './config.js';

/** Gives the token of a call, and another one than the one that was refused. */
export type TokenSource = (refused?: Promise<string>) => Promise<string>;

/** The answer of the token endpoint. */
export interface TokenAnswer {
  access_token: string;
  expires_in: number;
}

/** Where a token comes from. */
export type TokenOrigin = NonNullable<ClientOptions['accessToken']> | (() => Promise<TokenAnswer>);

/** A token as a text, as the service issues it, or as its token endpoint answers. */
type AnyToken = string & { token?: string; expiresAt: string } & Partial<TokenAnswer>;

/** Keeps one token for all calls; asks for the next when nine tenths of its life are over, or when it was refused. */
export function sharedToken(origin: TokenOrigin): TokenSource {
  let token: Promise<string> | undefined;
  let renewAt = 0;
  const renew = async () => {
    try {
      const given = (await (typeof origin === 'string' ? origin : origin())) as AnyToken;
      const {
        token = given,
        access_token = token,
        expiresAt,
        // How long a text is good it does not say: this is no number then.
        expires_in = (Date.parse(expiresAt) - Date.now()) / 1000,
      } = given;
      renewAt = Date.now() + expires_in * 900;
      return access_token;
    } catch (error) {
      renewAt = 0;
      throw error;
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
