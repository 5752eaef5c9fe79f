import type { JsonObject, JsonSchema } from './json-schema.js';
import type { Method, Tool } from './tool.js';

/** Connector: its `connector.json` with defaults, the schemas that its tools share, and its tools. */
export interface Connector {
  readonly id: string;
  readonly title: string;
  /** Name of the upstream service, as its users know it. Default: the connector's title. */
  readonly service: string;
  readonly description: string;
  /** Name of the upstream's API to which `baseUrl` leads. */
  readonly api: string;
  readonly documentation?: string;
  /** Default origin and base path of the upstream, without a trailing slash. */
  readonly baseUrl: string;
  /** Base URLs of the upstream's regions by name. A connection may name a region instead of a base URL. */
  readonly regions?: Readonly<Record<string, string>>;
  /** Additional hosts of the upstream, by the name that a request gives in `host`. */
  readonly hosts: Readonly<Record<string, Host>>;
  /** Headers for `baseUrl` that are sent unless the caller sends the same header. */
  readonly headers: Readonly<Record<string, string>>;
  readonly auth: Auth;
  /** Consent text for users, shown when no requested scope has a consent text of its own. */
  readonly consent?: Consent;
  /** MCP server of the upstream (Streamable HTTP). Absent: the upstream is no MCP server. */
  readonly mcp?: McpServer;
  /**
   * Routes of the proxy, which map request paths to hosts of the upstream. Absent: the proxy accepts every path and
   * sends it to `baseUrl`.
   */
  readonly proxy?: Proxy;
  /** Header with which a POST may name another HTTP method. Absent: the upstream supports none. */
  readonly methodOverride?: string;
  /** Query parameters with which a request may name another HTTP method. Absent: the upstream supports none. */
  readonly methodParameters?: readonly string[];
  /** Path patterns whose `{}` segments may contain encoded slashes, such as `/projects/{}`. */
  readonly encodedSlashes?: readonly string[];
  /** Links in responses that the proxy rewrites. Absent: the proxy rewrites links in headers only. */
  readonly links?: ResponseLinks;
  /** Rules for the treatment of upstream errors. The first rule that matches applies. */
  readonly errors: readonly ErrorRule[];
  /**
   * JSON pointers to the upstream's own message in the body of an error. Absent: the service searches the usual fields,
   * such as `message`.
   */
  readonly errorText?: readonly string[];
  readonly retry: Retry;
  /**
   * Requests that test whether a credential is valid, at most one for each credential of an account. Absent:
   * credentials cannot be tested.
   */
  readonly verify?: readonly VerifyRequest[];
  /** Paths to the name, workspace and picture of an account's user. Absent: the upstream does not reveal the user. */
  readonly identity?: Identity;
  /** Webhooks of the upstream. Absent: the upstream has none, or the service does not receive them. */
  readonly webhooks?: Webhooks;
  /** Logo as an SVG document. */
  readonly logo?: string;
  /** Instructions in Markdown for setting up an OAuth client or key at the upstream. */
  readonly setup?: string;
  /** Schemas of `types.json` by name. All tools of the connector may refer to them. */
  readonly types: Readonly<Record<string, JsonSchema>>;
  /** Tools, sorted by name. */
  readonly tools: readonly Tool[];
}

/** Content of a connector.json, with defaults. */
export type ConnectorFile = Omit<Connector, 'types' | 'tools'>;

/** Position of the credential in an upstream request. `{credential}` is the placeholder for the credential. */
export type Inject = HeaderInject | BasicInject | QueryInject;

/** Sends the credential in a request header whose value is `value`. */
export interface HeaderInject {
  readonly header: string;
  readonly value: string;
}

/** Sends the credential as Basic authentication. `basic` contains user and password, separated by a colon. */
export interface BasicInject {
  readonly basic: string;
}

/** Sends the credential as the query parameter of this name. */
export interface QueryInject {
  readonly query: string;
}

/**
 * Additional host of a connector. The host receives no default headers of the connector and no credential of another
 * host.
 */
export interface Host {
  /** Origin and base path of the additional host, without a trailing slash. */
  readonly baseUrl: string;
  /** Name of the secondary credential for this host. Absent: the host receives the account's own credential. */
  readonly credential?: string;
  /** Position of the credential in a request to this host. Absent: the position in `auth.inject`. */
  readonly inject?: Inject;
  /** Headers that are sent unless the caller sends the same header. */
  readonly headers: Readonly<Record<string, string>>;
}

/** MCP endpoint of the upstream. */
export interface McpServer {
  /** Path and query of the MCP endpoint, relative to the connector's `baseUrl`. */
  readonly path: string;
}

/** Links in upstream responses that point to the upstream's own hosts. */
export interface ResponseLinks {
  /**
   * Names of the properties in JSON responses, at any depth, whose values are URLs of the upstream. The proxy rewrites
   * these URLs to its own.
   */
  readonly fields: readonly string[];
  /** Domains to which signed download links in responses may point. The links must use https. */
  readonly fileDomains?: readonly string[];
}

/** A GET request that succeeds with every valid credential of its host, and changes nothing. */
export interface VerifyRequest {
  /** Path and query of the test request, relative to the base URL of its host. */
  readonly path: string;
  /** Name of a host in `hosts`. Absent: `baseUrl`. */
  readonly host?: string;
}

/**
 * JSON pointers into one document about the user of an account. Each list is tried in order until a pointer finds a
 * text.
 */
export interface Identity {
  /**
   * Document to which the JSON pointers in `name`, `workspace` and `picture` apply. It is the ID token's claims, the
   * token response, or the response to the `verify` request.
   */
  readonly from: 'id_token' | 'token_response' | 'verify';
  /** JSON pointers to the name or email address of the user. */
  readonly name?: readonly string[];
  /** JSON pointers to the name of the user's workspace, organization or tenant. */
  readonly workspace?: readonly string[];
  /** JSON pointers to the URL of the user's picture. */
  readonly picture?: readonly string[];
}

/** Routes of the proxy. The first matching route applies; a path that matches none is refused. */
export interface Proxy {
  readonly routes: readonly Route[];
}

/** Route of the proxy: which path it matches, and where it sends the request. */
export interface Route {
  readonly methods?: readonly Method[];
  /** Path that the route matches: a prefix that ends with a slash, or a complete path. */
  readonly path: string;
  /** Replacement for the matched prefix or path. Absent: the path is unchanged. */
  readonly to?: string;
  /** Name of a host in `hosts`. Absent: `baseUrl`. */
  readonly host?: string;
  /** True when an upstream response may take longer than ten seconds. */
  readonly longRunning?: boolean;
  /** Renames query parameters: the key is the caller's name, the value is the upstream's name. */
  readonly query?: Readonly<Record<string, string>>;
}

/** Authorization method of an account. */
export type Auth = OAuth2Auth | KeyAuth | McpAuth;

/** Authorization of an account by OAuth 2. */
export interface OAuth2Auth {
  readonly type: 'oauth2';
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint?: string;
  /** Expected value of the parameter `iss` in the OAuth callback, if the authorization server sends it. */
  readonly issuer?: string;
  /** Constant query parameters of the authorization request. */
  readonly authorizationParameters: Readonly<Record<string, string>>;
  readonly tokenRequest: TokenRequest;
  readonly scopes: readonly Scope[];
  readonly errorCodes: OAuthErrorCodes;
  readonly administratorConsent?: AdministratorConsent;
  /** True when the upstream refuses a sign-in inside the embedded browser of another app. */
  readonly refusesInAppBrowsers?: boolean;
  /** Field of the token response that identifies the upstream user. */
  readonly subject?: string;
  /** Claim of the ID token that identifies the upstream user, when no field of the token response does. */
  readonly subjectClaim?: string;
  readonly inject: Inject;
}

/** Error codes of an authorization server that RFC 6749 does not define, grouped by meaning. */
export interface OAuthErrorCodes {
  /** Error codes of a failed token refresh after which the user must consent again. */
  readonly grantOver: readonly string[];
  /** Error codes in the OAuth callback after the user has declined consent. */
  readonly cancelled: readonly string[];
  /** Error codes in the OAuth callback when an administrator of the user's organization forbids access. */
  readonly refusedByAdministrator: readonly string[];
  /** Error codes in the OAuth callback when an administrator must consent for the organization before its users can. */
  readonly administratorConsent: readonly string[];
  /** Error codes in the OAuth callback when a requested scope is unknown or not allowed. */
  readonly invalidScope: readonly string[];
  /** Error codes in the OAuth callback when the OAuth client is unknown or not allowed. */
  readonly clientNotAllowed: readonly string[];
  /** Error codes in the OAuth callback when a later attempt can succeed. */
  readonly temporarilyUnavailable: readonly string[];
}

/** Page on which an administrator consents for all users of an organization. */
export interface AdministratorConsent {
  /** URL of the administrator consent page, relative to the authorization endpoint. */
  readonly path: string;
  /** Constant query parameters of the administrator consent page. The service adds `client_id` and `redirect_uri`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Query parameter by which the service recognizes the redirect from the administrator consent page. */
  readonly returned?: string;
}

/** Format of a token request to the upstream's authorization server. */
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

/** OAuth scope of the upstream. Scopes with `default` are requested when the connection names none. */
export interface Scope {
  readonly name: string;
  /** Description of the scope for operators. */
  readonly description: string;
  readonly consent?: Consent;
  readonly default: boolean;
}

/** Authorization by an API key or token that the application sends or the user enters. */
export interface KeyAuth {
  readonly type: 'api_key' | 'bearer_token';
  readonly inject: Inject;
  /** Secondary credentials that an account may have. A host in `hosts` receives the one that its `credential` names. */
  readonly credentials: readonly FurtherCredential[];
  /** Instructions on the connect page, step by step, how a user gets the key at the upstream. */
  readonly steps?: readonly Consent[];
}

/**
 * Secondary credential: a key or token that an account has in addition to its main credential, for other hosts of the
 * connector.
 */
export interface FurtherCredential {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** Authorization of MCP servers (OAuth 2.1). Endpoints are discovered, and the client registers itself. */
export interface McpAuth {
  readonly type: 'mcp_oauth';
  readonly scopes: readonly Scope[];
  readonly inject: Inject;
}

/**
 * Rule for the treatment of an upstream error. It applies to a response with this HTTP status whose body contains
 * `body`.
 */
export interface ErrorRule {
  readonly status: number;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Field of the response body. The rule matches only if the field is present, not null and not empty. */
  readonly present?: string;
  /**
   * Calls that are retried after this error. `any`: all calls. `reads`: only calls that change nothing or have an
   * idempotency key.
   */
  readonly retry?: 'any' | 'reads';
  /** Advice for the caller, which is added to the error of the call. */
  readonly advice?: string;
  /** True when the error is caused by the input of the call. The caller gets 422. */
  readonly rejectsInput?: true;
  /** True when the upstream has refused the credential permanently. The account then needs authorization again. */
  readonly endsCredential?: true;
  /** True when the upstream has refused the call because the access token lacks an OAuth scope. */
  readonly demandsScope?: true;
}

/** Limits on how often and how long the service retries an upstream request. */
export interface Retry {
  /** Maximum number of attempts of an upstream request, including the first. */
  readonly attempts: number;
  /** Delay before the first retry, in milliseconds. The delay doubles with each retry. */
  readonly baseMs: number;
  /** Maximum delay in milliseconds. A retry that needs a longer delay is not made. */
  readonly capMs: number;
}

/**
 * Webhooks of an upstream: the tools that create and delete subscriptions, and the payload of each trigger (kind of
 * event).
 */
export interface Webhooks {
  readonly create: {
    readonly tool: string;
    /** Name of the tool input for the URL to which the upstream sends the payloads. */
    readonly url: string;
    /** Name of the tool input for the trigger: the kind of upstream event that causes a webhook. */
    readonly trigger: string;
    /** JSON Pointer to the id of the new subscription in the tool's data. */
    readonly id: string;
  };
  readonly delete: {
    readonly tool: string;
    /** Name of the tool input for the id of the subscription. */
    readonly id: string;
  };
  /**
   * JSON Pointer to the id of a delivery in the webhook payload. Absent: payloads with equal bodies count as one
   * delivery.
   */
  readonly deliveryId?: string;
  readonly triggers: Readonly<Record<string, Trigger>>;
}

/** Trigger of an upstream's webhooks: the kind of event after which the upstream sends a payload. */
export interface Trigger {
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the webhook payload, for documentation. Received payloads are not validated against it. */
  readonly payload: JsonSchema;
  readonly example: JsonObject;
}
