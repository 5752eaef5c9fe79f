/** Gives the token of a call, and another one than the one that was refused. */
export type TokenSource = (refused?: Promise<string>) => Promise<string>;

/** The answer of the token endpoint. */
export interface TokenAnswer {
  access_token: string;
  expires_in: number;
}

/** Keeps one token for all calls; fetches the next when nine tenths of its life are over, or when it was refused. */
export function sharedToken(fetchToken: () => Promise<TokenAnswer>): TokenSource {
  let token: Promise<string> | undefined;
  let renewAt = 0;
  const renew = async () => {
    try {
      const { access_token, expires_in } = await fetchToken();
      renewAt = Date.now() + expires_in * 900;
      return access_token;
    } catch (error) {
      token = undefined;
      throw error;
    }
  };
  return (refused) => {
    // Of many calls that were refused with one token only the first renews it: the others get its successor.
    if (!token || token === refused || Date.now() > renewAt) {
      renewAt = Infinity;
      token = renew();
    }
    return token;
  };
}
