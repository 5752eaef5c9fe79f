import type { KnownName } from './execute-tool.js';
import type { Tools } from './tool.js';

/** Conditions on a value in a tool's input, which limit a token. All conditions must hold. */
export interface ArgumentLimit {
  /** Only value that the input may have. */
  eq?: string | number | boolean | null;
  /** Values of which the input may have one. */
  in?: readonly (string | number | boolean | null)[];
  /** Prefix that the input value must have. End the prefix with a delimiter, such as `https://files.example.com/`. */
  prefix?: string;
  /** Smallest number that the input may have. */
  min?: number;
  /** Largest number that the input may have. */
  max?: number;
}

/** Requests that a token may send through the proxy. */
export interface ProxyLimit {
  /** HTTP methods of the proxied requests. GET includes HEAD. Default: any method. */
  methods?: readonly string[];
  /** Path of the proxied requests at the upstream. With a final `/` it includes all paths below. */
  path: string;
}

type NamesIn<Input> = Input extends unknown ? keyof Input & string : never;

/** Paths in the input of a tool. Only their first step is typed. Every text for a tool whose input type is unknown. */
type PathIn<Name extends string> = Name extends keyof Tools
  ? Tools[Name] extends { input: infer Input }
    ? NamesIn<Input> | `${NamesIn<Input>}.${string}`
    : string
  : string;

/**
 * Conditions on tool inputs, by tool name and by path in the input. Accepts the tool names that {@link KnownName}
 * accepts.
 */
type ArgumentLimits<Name extends string> = string extends Name
  ? Readonly<Record<string, Readonly<Record<string, ArgumentLimit>>>>
  : {
      readonly [Each in Name]?: Each extends KnownName<Each>
        ? { readonly [Path in PathIn<Each>]?: ArgumentLimit }
        : never;
    };

/**
 * Limits of an access token. An absent field is no limit. Names of tools are typed once their connector package is
 * imported.
 */
export interface TokenLimits<Name extends string = string> {
  /** Identifier of a user in the application. The token is valid only for this user's accounts. */
  identifier?: string;
  /**
   * Label of the only account that the token is valid for on each connection. Empty text: only accounts without a
   * label.
   */
  account?: string;
  /** Names of connections. The token is valid only for accounts of these connections. */
  connections?: readonly string[];
  /** Ids of connected accounts. The token is valid only for these accounts. */
  accounts?: readonly string[];
  /** Names of tools that the token may call. Proxied requests are rejected unless `proxy` allows them. */
  tools?: readonly KnownName<Name>[];
  /**
   * Conditions on tool inputs, by tool name and by path in the input, such as `start.date_time`. An absent value is
   * rejected. Proxied requests are rejected unless `proxy` allows them.
   */
  arguments?: ArgumentLimits<Name>;
  /** Proxied requests that the token may send. An empty list allows none. */
  proxy?: readonly ProxyLimit[];
  /** True to let the token call only tools that change nothing, and send only proxied GET and HEAD requests. */
  readOnly?: true;
  /** Maximum number of calls with this token and all tokens made from it. */
  maxCalls?: number;
  /**
   * Address of the service, or of a part of it: `…/v1`, `…/mcp`, `…/mcp/calendar`. The token is valid only at this
   * address.
   */
  audience?: string;
  /** Tool calls with this token that need a person's approval. A list contains names of tools. */
  approve?: 'always' | 'destructive' | 'never' | readonly KnownName<Name>[];
}

/** Limits of a new token, which always belongs to one user. */
export interface TokenRequest<Name extends string = string> extends TokenLimits<Name> {
  /** Identifier of the user in the application, such as `user_42`. */
  identifier: string;
  /** Lifetime of the token in seconds. Default: 600. Required for an agent. */
  expiresIn?: number | undefined;
}

/** New access token. The service returns its text only once. */
export interface IssuedToken {
  /** Secret text of the token, for the option `accessToken`. */
  token: string;
  /** Id of the token, for `accountTokens.revoke` or `agentTokens.revoke`. */
  id: string;
  /** Time at which the token expires, in ISO 8601. */
  expiresAt: string;
}

/** Access token that was issued earlier, without its secret text. */
export interface ListedToken {
  id: string;
  limits: TokenLimits;
  /** Time of the creation, in ISO 8601. */
  createdAt: string;
  /** Time at which the token expires, in ISO 8601. */
  expiresAt: string;
  /** Time at which the token was revoked, in ISO 8601. Null unless the token was revoked. */
  revokedAt: string | null;
}
