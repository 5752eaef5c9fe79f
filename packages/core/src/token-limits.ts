/** Conditions on a value in a tool's input. All of them must hold. */
export interface ArgumentLimit {
  eq?: string | number | boolean | null;
  in?: readonly (string | number | boolean | null)[];
  /** The beginning of a string. End it at the end of a name, such as `https://files.example.com/`. */
  prefix?: string;
  min?: number;
  max?: number;
}

/** Allowed requests through the proxy. */
export interface ProxyLimit {
  /** Default: any method. GET includes HEAD. */
  methods?: readonly string[];
  /** An upstream path. With a final `/` it includes everything below. */
  path: string;
}

/** Limits of a token. An absent field limits nothing. */
export interface TokenLimits {
  /** The user, as the application names them. Only this user's accounts. */
  identifier?: string;
  /** Only accounts of the connections with these names. */
  connections?: readonly string[];
  /** Only the accounts with these ids. */
  accounts?: readonly string[];
  /** Only these tools, and no proxied request unless `proxy` allows it. */
  tools?: readonly string[];
  /**
   * Conditions on inputs, by tool and by path into its input, such as `start.date_time`. An absent value is rejected. Every
   * proxied request is rejected unless `proxy` allows it.
   */
  arguments?: Readonly<Record<string, Readonly<Record<string, ArgumentLimit>>>>;
  /** Only these proxied requests. An empty list allows none. */
  proxy?: readonly ProxyLimit[];
  /** Only tools that change nothing, and proxied GET and HEAD requests. */
  readOnly?: true;
  /** The most calls of this token and all tokens made from it together. */
  maxCalls?: number;
  /** The address of the service, or of a part of it: `…/v1`, `…/mcp`, `…/mcp/calendar`. */
  audience?: string;
  /** Calls that wait for a person's approval. A list names tools. */
  approve?: 'always' | 'destructive' | 'never' | readonly string[];
}

/** The limits of a new token: one user at least. */
export interface TokenRequest extends TokenLimits {
  identifier: string;
  /** Seconds. Default: 600. Required for an agent. */
  expiresIn?: number;
}

/** A new token. The service does not show it again. */
export interface IssuedToken {
  token: string;
  id: string;
  expiresAt: string;
}

/** An issued token, without its secret text. */
export interface ListedToken {
  id: string;
  limits: TokenLimits;
  createdAt: string;
  expiresAt: string;
  /** Null unless the token was revoked. */
  revokedAt: string | null;
}
