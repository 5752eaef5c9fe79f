import type { JsonSchema } from './json-schema.js';
import type { Method, Tool } from './tool.js';

/** A connector: its `connector.json` with defaults filled in, the shapes its tools share, and its tools by name. */
export interface Connector {
  readonly id: string;
  readonly title: string;
  /** The name by which users call the upstream service. Default: the title. */
  readonly service: string;
  readonly description: string;
  /** The API that it speaks to when a connection names no other base URL. */
  readonly api: string;
  readonly documentation?: string;
  /** Origin and base path of the upstream, without a slash at the end. */
  readonly baseUrl: string;
  /** Base URLs of the upstream's regions; a connection may name one instead of a base URL. */
  readonly regions?: Readonly<Record<string, string>>;
  /** Further hosts by the name that a request gives as its `host`. */
  readonly hosts: Readonly<Record<string, Host>>;
  /** Sent to `baseUrl` when the caller gives none of that name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly auth: Auth;
  /** Text for users about what they allow, when no scope with a text of its own is requested. */
  readonly consent?: Consent;
  /** The upstream is an MCP server (Streamable HTTP). */
  readonly mcp?: McpServer;
  /** Requests that the proxy accepts; absent: every path, on `baseUrl`. */
  readonly proxy?: Proxy;
  /** The header by which a POST may name another method; absent: the upstream hears none. */
  readonly methodOverride?: string;
  /** Query parameters by which any of its hosts takes another method; absent: there are none. */
  readonly methodParameters?: readonly string[];
  /** Paths below which the segments `{}` may hold encoded slashes, such as `/projects/{}`. */
  readonly encodedSlashes?: readonly string[];
  /** Links of its answers that lead to its own hosts; absent: none but those of headers. */
  readonly links?: AnswerLinks;
  /** Rules for upstream errors. The first rule that matches applies. */
  readonly errors: readonly ErrorRule[];
  readonly retry: Retry;
  /** Requests that prove a credential, at most one for each credential of an account; absent: no credential can be tried. */
  readonly verify?: readonly VerifyRequest[];
  /** Place of the upstream's names for the user of an account; absent: the upstream names nobody. */
  readonly identity?: Identity;
  /** An SVG document. */
  readonly logo?: string;
  /** Setup in the upstream's console, in Markdown. */
  readonly setup?: string;
  /** Shapes of `types.json` by name. */
  readonly types: Readonly<Record<string, JsonSchema>>;
  /** Tools, sorted by name. */
  readonly tools: readonly Tool[];
}

/** Content of a connector.json, with defaults. */
export type ConnectorFile = Omit<Connector, 'types' | 'tools'>;

/** Position of a credential in a request. `{credential}` is replaced by it. */
export type Inject = HeaderInject | BasicInject | QueryInject;

/** Sends the credential in a header, inside `value`. */
export interface HeaderInject {
  readonly header: string;
  readonly value: string;
}

/** Sends the credential as user and password of Basic authentication, separated by a colon. */
export interface BasicInject {
  readonly basic: string;
}

/** Sends the credential as the query parameter of this name. */
export interface QueryInject {
  readonly query: string;
}

/** A further host of a connector. It never gets a credential, or a default header, of another host. */
export interface Host {
  /** Origin and base path, without a slash at the end. */
  readonly baseUrl: string;
  /** Name of the account's secondary credential that this host gets; absent: the account's own credential. */
  readonly credential?: string;
  /** Position of the credential; absent: the one of `auth.inject`. */
  readonly inject?: Inject;
  /** Sent when the caller gives none of that name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** MCP endpoint of the upstream. */
export interface McpServer {
  /** Path and query below `baseUrl`. */
  readonly path: string;
}

/** Links in responses that lead to the upstream's own hosts. */
export interface AnswerLinks {
  /** Members of JSON answers, wherever they stand. */
  readonly fields: readonly string[];
  /** Domains of the hosts to which signed links of files may lead, over https. */
  readonly fileDomains?: readonly string[];
}

/** A GET request that succeeds with every valid credential of its host, and changes nothing. */
export interface VerifyRequest {
  /** Path and query below the base URL of the host. */
  readonly path: string;
  /** One of `hosts`; absent: `baseUrl`. */
  readonly host?: string;
}

/** JSON Pointers into one document about the user of an account. Of each list, the first one that finds a text counts. */
export interface Identity {
  /** The document: the claims of the ID token, the token response, or the response of the verify request. */
  readonly from: 'id_token' | 'token_response' | 'verify';
  /** Name or address of the user. */
  readonly name?: readonly string[];
  /** Name of the workspace, organization or tenant. */
  readonly workspace?: readonly string[];
  /** URL of a picture. */
  readonly picture?: readonly string[];
}

/** The first route that fits applies; a path that fits none is refused. */
export interface Proxy {
  readonly routes: readonly Route[];
}

/** A path of the proxy and what it becomes. */
export interface Route {
  readonly methods?: readonly Method[];
  /** A path prefix that ends with a slash, or a whole path. */
  readonly path: string;
  /** Replacement of the prefix or path; absent: it stays. */
  readonly to?: string;
  /** One of `hosts`; absent: `baseUrl`. */
  readonly host?: string;
  /** May take longer than ten seconds. */
  readonly longRunning?: boolean;
  /** The upstream's names of query parameters by the name that callers may use. */
  readonly query?: Readonly<Record<string, string>>;
}

/** Authorization of an account. */
export type Auth = OAuth2Auth | KeyAuth | McpAuth;

/** The account is authorized by OAuth 2. */
export interface OAuth2Auth {
  readonly type: 'oauth2';
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint?: string;
  /** Value of `iss` when the server sends one. */
  readonly issuer?: string;
  /** Constant parameters of the authorization request. */
  readonly authorizationParameters: Readonly<Record<string, string>>;
  readonly tokenRequest: TokenRequest;
  readonly scopes: readonly Scope[];
  readonly errorCodes: OAuthErrorCodes;
  /** Field of the token answer that names the grant. */
  readonly subject?: string;
  /** Claim of the ID token that names the user, where no field of the answer does. */
  readonly subjectClaim?: string;
  readonly inject: Inject;
}

/** Error codes of the authorization server beside those of RFC 6749, by their meaning. */
export interface OAuthErrorCodes {
  /** At a refresh: only a new consent of the user gives tokens again. */
  readonly grantOver: readonly string[];
  /** Error codes of the callback that mean that the user declined. */
  readonly cancelled: readonly string[];
  /** At the callback: an administrator of the user's organization does not allow it. */
  readonly refusedByAdministrator: readonly string[];
}

/** Form of a token request. */
export interface TokenRequest {
  readonly body: 'form' | 'json';
  readonly clientAuthentication: 'basic' | 'body';
  readonly headers: Readonly<Record<string, string>>;
}

/** Text for users about what the application may do, by language. English is always present. */
export interface Consent {
  readonly en: string;
  readonly [language: string]: string | undefined;
}

/** A scope of the upstream; `default` ones are asked for when the connection names none. */
export interface Scope {
  readonly name: string;
  /** Description for operators. */
  readonly description: string;
  readonly consent?: Consent;
  readonly default: boolean;
}

/** Authorization by a key or token that the application provides. */
export interface KeyAuth {
  readonly type: 'api_key' | 'bearer_token';
  readonly inject: Inject;
  /** Further secrets that an account may hold, each for the hosts that name it. */
  readonly credentials: readonly FurtherCredential[];
}

/** A secret that an account may hold beside its own credential. */
export interface FurtherCredential {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** The account is authorized by OAuth 2.1 as MCP servers do it: all endpoints are discovered, and the client registers itself. */
export interface McpAuth {
  readonly type: 'mcp_oauth';
  readonly scopes: readonly Scope[];
  readonly inject: Inject;
}

/** Upstream errors that match `status`, and `body` as a part of the error body, with their treatment. */
export interface ErrorRule {
  readonly status: number;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Field of the body that must be present, not null and not empty. */
  readonly present?: string;
  /** `any`: every call is repeated; `reads`: only calls that change nothing. */
  readonly retry?: 'any' | 'reads';
  /** Advice for the caller, which is added to the error. */
  readonly advice?: string;
  /** The upstream refuses the credential for good, so that the access of the account ends. */
  readonly endsCredential?: true;
}

/** Limits of repeated calls. */
export interface Retry {
  /** Calls in all, the first included. */
  readonly attempts: number;
  /** Wait before the second call, doubled each time. */
  readonly baseMs: number;
  /** A longer wait is not waited for. */
  readonly capMs: number;
}
