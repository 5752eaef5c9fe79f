interface ErrorWords {
  readonly title: string;
  readonly explanation: string;
  readonly next: string;
}

const FIX_REQUEST =
  'Fix the request in the calling program. The error message that the program received names the mistake.';

const WORDS: Readonly<Record<string, ErrorWords>> = {
  invalid_request: {
    title: 'Invalid request',
    explanation: 'The caller sent a path, parameter or field that the API of this service does not accept.',
    next: FIX_REQUEST,
  },
  invalid_input: {
    title: 'Invalid input',
    explanation: 'The input does not match the schema of the tool.',
    next: 'Try the input in the playground, which marks the invalid fields.',
  },
  unknown_version: {
    title: 'Unknown tool version',
    explanation: 'The caller requested a version of the tool that does not exist.',
    next: 'Omit the version, or update the connector package of the caller.',
  },
  unauthorized: {
    title: 'Not authenticated',
    explanation: 'The access token is missing, invalid or expired.',
    next: 'Request a new access token. If that request fails, check the client secrets in the developer settings.',
  },
  forbidden: {
    title: 'Forbidden',
    explanation: 'The caller does not have permission, or the consent of a user did not succeed.',
    next: 'If the caller needs the permission, ask an owner of the service for it. After a failed consent, send the user a new link.',
  },
  not_permitted: {
    title: 'Not allowed by the token',
    explanation: 'The limits of this agent or browser token do not allow the call.',
    next: 'If the call should be allowed, create a token with wider limits.',
  },
  origin_not_allowed: {
    title: 'Origin not allowed',
    explanation:
      'The origin of the web page is not registered, or the page used the access token of the application.',
    next: 'Register the origin in the developer settings, and use browser tokens (accountToken) in web pages.',
  },
  approval_required: {
    title: 'Approval required',
    explanation: 'The call has not run, because it needs the approval of a person.',
    next: 'Open the approval on the page Approvals. If the call still waits there, approve it, then repeat the call.',
  },
  approval_denied: {
    title: 'Approval denied',
    explanation: 'The approval was denied or expired. The call did not run.',
    next: 'Read the reason on the page Approvals.',
  },
  verification_failed: {
    title: 'Wrong user',
    explanation: 'The person who gave consent is not the user for whom the link was created.',
    next: 'Send the user a new link.',
  },
  not_found: { title: 'Not found', explanation: 'The requested object does not exist.', next: FIX_REQUEST },
  connector_not_found: {
    title: 'Connector not found',
    explanation: 'The catalogue has no connector with this name.',
    next: 'Correct the name of the connector in the request. If a connection uses the connector, restore the connector’s folder in SVC_CATALOG and restart the service, or delete the connection.',
  },
  connection_not_found: {
    title: 'Connection not found',
    explanation: 'The connection does not exist.',
    next: 'Create the connection, or correct the connection name in the call.',
  },
  account_not_found: {
    title: 'Account not found',
    explanation:
      'No connected account matches the account ID, or the connection name and identifier, in the call.',
    next: 'Correct the account ID, the connection name or the identifier in the call, or connect the account of the user.',
  },
  tool_not_found: {
    title: 'Tool not found',
    explanation: 'The tool does not exist, or the caller’s token or MCP endpoint does not include it.',
    next: 'Correct the tool name in the call. If the tool exists, create a token that allows it.',
  },
  method_not_allowed: {
    title: 'Method not allowed',
    explanation: 'This path does not accept the HTTP method.',
    next: FIX_REQUEST,
  },
  websockets_not_supported: {
    title: 'No WebSockets',
    explanation: 'The caller requested a WebSocket, which the proxy does not support.',
    next: 'Use the HTTP API of the upstream, or open the WebSocket to the upstream without the proxy.',
  },
  request_timeout: {
    title: 'Request timeout',
    explanation: 'The caller took too long to send the request.',
    next: 'Check the network between the caller and this service.',
  },
  conflict: {
    title: 'Conflict',
    explanation:
      'The object exists already or has changed, the same call was still running, or an approved call was interrupted.',
    next: 'Read the error message that the caller received before you repeat the request.',
  },
  application_not_configured: {
    title: 'Application incomplete',
    explanation: 'The application lacks a setting that this call needs, such as the user verification URL.',
    next: 'Save the user verification URL in the developer settings of the application.',
  },
  connection_not_configured: {
    title: 'Connection incomplete',
    explanation: 'The connection lacks a setting, such as its client ID or a scope.',
    next: 'Enter the missing values in the settings of the connection.',
  },
  account_not_authorized: {
    title: 'Account not authorized',
    explanation: 'The account has no valid credentials: no consent yet, missing scopes, or revoked access.',
    next: 'Send the user a new link, or enter a new key for the account.',
  },
  payload_too_large: {
    title: 'Payload too large',
    explanation: 'The request or the response exceeds the size limit.',
    next: 'Request less data, or split the request.',
  },
  idempotency_mismatch: {
    title: 'Idempotency key reused',
    explanation: 'The same idempotency key was sent with a different request.',
    next: 'Use a new idempotency key for each new call.',
  },
  rate_limited: {
    title: 'Rate limited',
    explanation: 'The caller made too many calls in a short time.',
    next: 'Wait as long as the Retry-After header says, then send calls more slowly. If the limit is too low, raise it as described on the page Health.',
  },
  headers_too_large: {
    title: 'Headers too large',
    explanation: 'The request headers exceed the size limit.',
    next: FIX_REQUEST,
  },
  internal_error: {
    title: 'Internal error',
    explanation: 'The service failed because of a bug.',
    next: 'Search the log of the service for the request ID, and report the error to the developers of the service.',
  },
  upstream_failed: {
    title: 'Upstream error',
    explanation:
      'The upstream rejected the call (the service responds with 422 or 424), or the upstream failed (502).',
    next: 'Test the connection to see whether the upstream works.',
  },
  connection_failed: {
    title: 'Connection failed',
    explanation: 'The upstream is unreachable, or the call ended before the response was complete.',
    next: 'Test the connection. Also check whether the caller cancelled the call.',
  },
  unavailable: {
    title: 'Unavailable',
    explanation:
      'The service rejected the call: either the service is overloaded, or the upstream fails repeatedly.',
    next: 'Retry the call in a few seconds.',
  },
  upstream_timeout: {
    title: 'Upstream timeout',
    explanation: 'The upstream did not respond in time.',
    next: 'Before you retry the call, check at the upstream whether the change was made.',
  },
};

/**
 * Returns an instruction for an error status of the upstream, based on the meaning of the status in HTTP (RFC 9110).
 */
function upstreamNext(status: number): string {
  if (status === 401)
    return 'The upstream rejects the credentials of the account. Send the user a new link, or enter a new key.';
  if (status === 403)
    return 'The account lacks a permission at the upstream. Check the granted scopes of the account and the user’s rights at the upstream.';
  if (status === 404)
    return 'The object does not exist at the upstream, or the account cannot see it. Check the ID of the object in the call.';
  if (status === 429) return 'The upstream limits the rate of calls. Retry more slowly.';
  if (status >= 500) return 'The upstream has a problem. Retry later.';
  return 'Fix the request in the calling program.';
}

/** Returns the texts for an error code. An error code that this dashboard does not know becomes the title. */
export function errorWords(code: string, upstreamStatus?: number): ErrorWords {
  const words = WORDS[code];
  if (words === undefined)
    return {
      title: code,
      explanation: `The call failed with the error code ${code}.`,
      next: 'Search the log of the service for the request ID.',
    };
  if (code !== 'upstream_failed' || upstreamStatus === undefined) return words;
  return { ...words, next: upstreamNext(upstreamStatus) };
}

/** Returns the texts for a failed call. A missing error code means that the upstream responded with an error status. */
export const failureWords = (failed: {
  readonly errorCode?: string;
  readonly upstreamStatus?: number;
}): ErrorWords => errorWords(failed.errorCode ?? 'upstream_failed', failed.upstreamStatus);
