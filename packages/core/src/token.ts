/** Gives the `Authorization` header of a call; after `drop` the next call gets another one. */
export interface TokenSource {
  get(): Promise<string>;
  drop?(used: string): void;
}

/** The answer of the token endpoint. */
export interface TokenAnswer {
  access_token: string;
  expires_in: number;
}

/** Keeps one token for all calls, and fetches the next when nine tenths of its life are over. */
export function sharedToken(fetchToken: () => Promise<TokenAnswer>): TokenSource {
  let token: Promise<string>;
  let current: string | undefined;
  let renewAt = 0;
  const renew = async () => {
    try {
      const { access_token, expires_in } = await fetchToken();
      renewAt = Date.now() + expires_in * 900;
      current = `Bearer ${access_token}`;
      return current;
    } catch (error) {
      renewAt = 0;
      throw error;
    }
  };
  return {
    get() {
      if (Date.now() >= renewAt) {
        // Until the answer is there, every call waits for this one.
        renewAt = Number.POSITIVE_INFINITY;
        token = renew();
      }
      return token;
    },
    drop(used) {
      // Of many calls that were refused with one token only the first drops it: the others wait for its successor.
      if (used !== current) return;
      current = undefined;
      renewAt = 0;
    },
  };
}
