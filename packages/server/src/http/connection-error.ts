import { RETRY_ADVICE, ServiceError } from '../errors.js';

const TIMEOUTS: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: 'did not accept a connection in time. Retry later.',
  UND_ERR_HEADERS_TIMEOUT: `did not start its response in time. ${RETRY_ADVICE}`,
  UND_ERR_BODY_TIMEOUT: `stopped in the middle of its response. ${RETRY_ADVICE}`,
  ETIMEDOUT: 'did not accept a connection in time. Retry later.',
  TimeoutError: `took too long to respond. ${RETRY_ADVICE}`,
};

const FAILURES: readonly (readonly [RegExp, string, string])[] = [
  [
    /^(ENOTFOUND|EAI_\w+|ENODATA)$/,
    'unknown_host',
    'has a host name that cannot be resolved. Check the URL of the upstream, or retry later.',
  ],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'refused', 'cannot be reached. Retry later.'],
  [
    /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_OSSL)/,
    'tls',
    'has no TLS certificate that the service trusts for its host name. The operator of the upstream must correct it, or the operator of the service must list its certificate authority in NODE_EXTRA_CA_CERTS.',
  ],
  [
    /^UND_ERR_(INVALID_ARG|NOT_SUPPORTED)$/,
    'not_sent',
    'received nothing, because the request contains a character that HTTP does not allow. Remove or encode this character.',
  ],
  [
    /^UND_ERR_HEADERS_OVERFLOW$/,
    'headers_too_large',
    'sent more than the maximum of 64 KiB of headers. Report this to the operator of the upstream.',
  ],
  [
    /^(HPE_|HTTPParserError|UND_ERR_RES_CONTENT_LENGTH)/,
    'invalid_response',
    `sent a response that is not valid HTTP. ${RETRY_ADVICE}`,
  ],
];

// Finds the system error code of a failed connection. Node.js wraps the errors of several addresses in an
// AggregateError, and fetch puts its error into `cause`.
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error.cause === undefined ? error.name : codeOf(error.cause);
}

function findServiceError(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error;
  return error instanceof Error && error.cause !== undefined ? findServiceError(error.cause) : undefined;
}

/**
 * Converts the error of a failed connection to a ServiceError. The message omits the host, which may be confidential
 * (rule A12 in security-rules.md).
 */
export function toConnectionError(error: unknown): ServiceError {
  const known = findServiceError(error);
  if (known) return known;
  const code = codeOf(error);
  const timeout = TIMEOUTS[code];
  if (timeout) {
    return new ServiceError('upstream_timeout', `The upstream ${timeout}`, undefined, { cause: error });
  }
  const [, reason, text] = FAILURES.find(([pattern]) => pattern.test(code)) ?? [
    code,
    'closed',
    `closed the connection before its response was complete. ${RETRY_ADVICE}`,
  ];
  return new ServiceError('connection_failed', `The upstream ${text}`, { reason }, { cause: error });
}
