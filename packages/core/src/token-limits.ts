/** What a value in a tool's input must be: everything that is said. */
export interface ArgumentLimit {
  eq?: string | number | boolean | null;
  in?: readonly (string | number | boolean | null)[];
  /** How a text begins; end it where a name ends, such as `https://files.example.com/`. */
  prefix?: string;
  min?: number;
  max?: number;
}

/** Requests through the proxy. */
export interface ProxyLimit {
  /** Any where it is absent; GET brings HEAD with it. */
  methods?: readonly string[];
  /** An upstream path: with `/` at its end everything below it, else this path alone. */
  path: string;
}

/** What a token may do; what is absent is not limited. */
export interface TokenLimits {
  /** The user, as the application names them: accounts of nobody else. */
  identifier?: string;
  /** Accounts of these connections alone, by their names. */
  connections?: readonly string[];
  /** These accounts alone, by their ids. */
  accounts?: readonly string[];
  /** These tools alone, and no request through the proxy unless `proxy` says which. */
  tools?: readonly string[];
  /**
   * By tool and by path into its input, such as `start.date_time`, what a value must be. One that is absent is refused, and so is
   * every request through the proxy unless `proxy` says which are not.
   */
  arguments?: Readonly<Record<string, Readonly<Record<string, ArgumentLimit>>>>;
  /** These requests through the proxy alone; none where it is empty. */
  proxy?: readonly ProxyLimit[];
  /** Only tools that read, and GET and HEAD through the proxy. */
  readOnly?: true;
  /** How many calls, of all tokens that were made from this one together. */
  maxCalls?: number;
  /** The address of the service, or of one of its doors: `…/v1`, `…/mcp`, `…/mcp/calendar`. */
  audience?: string;
  /** Which calls wait for a person: a list names tools. */
  approve?: 'always' | 'destructive' | 'never' | readonly string[];
}

/** What a token is to be for: one user, and what else is limited. */
export interface TokenRequest extends TokenLimits {
  identifier: string;
  /** Seconds. Default: 600; for an agent there is none. */
  expiresIn?: number;
}

/** A new token, which is shown this once. */
export interface IssuedToken {
  token: string;
  id: string;
  expiresAt: string;
}

/** A token without itself. */
export interface ListedToken {
  id: string;
  limits: TokenLimits;
  createdAt: string;
  expiresAt: string;
  /** Null while it is not revoked. */
  revokedAt: string | null;
}
