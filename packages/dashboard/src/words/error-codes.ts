/** The meaning of an error code of the service, and the remedy. */
export interface ErrorWords {
  /** The words in a table. */
  readonly title: string;
  readonly story: string;
  readonly next: string;
}

const LOOK_AT_REQUEST = 'The caller has to mend its request; its error message says where.';

const WORDS: Readonly<Record<string, ErrorWords>> = {
  invalid_request: {
    title: 'Request refused',
    story: 'The request was not made as it has to be.',
    next: LOOK_AT_REQUEST,
  },
  invalid_input: {
    title: 'Input refused',
    story: 'The input broke rules of the tool.',
    next: 'Try the input in the playground, which names the fields that are wrong.',
  },
  unknown_version: {
    title: 'Unknown version',
    story: 'The caller wanted a version of the tool that does not exist.',
    next: 'Leave the version out, or update the package of the caller.',
  },
  unauthorized: {
    title: 'Not signed in',
    story: 'The caller did not show who it is, or no longer.',
    next: 'Look at the client secrets of the application.',
  },
  forbidden: {
    title: 'Not allowed',
    story: 'The caller may not do this.',
    next: 'Use an account or an operator that may.',
  },
  not_permitted: {
    title: 'Beyond its token',
    story: 'The token of a browser or an agent does not allow this call.',
    next: 'Give it a token with wider limits, if it should be allowed.',
  },
  origin_not_allowed: {
    title: 'Page not registered',
    story: 'A page called whose origin the application has not registered, or with its own token.',
    next: 'Register the origin in the developer settings, and give pages tokens for their users.',
  },
  approval_required: {
    title: 'Waits for a person',
    story: 'Nothing ran yet: a person is asked first.',
    next: 'Decide under Approvals, then make the same call again.',
  },
  approval_denied: {
    title: 'Refused by a person',
    story: 'A person refused the call, or nobody agreed in time; nothing ran.',
    next: 'Read the reason under Approvals.',
  },
  verification_failed: {
    title: 'Wrong user',
    story: 'Somebody else than the wanted user approved.',
    next: 'Send the user a new link.',
  },
  not_found: { title: 'Not found', story: 'What was asked for does not exist.', next: LOOK_AT_REQUEST },
  connector_not_found: {
    title: 'No such connector',
    story: 'The connector is not in the catalogue any more.',
    next: 'Start this service with the folder that has it, or delete the connection.',
  },
  connection_not_found: {
    title: 'No such connection',
    story: 'There was no such connection.',
    next: 'Create it, or mend its name where the call is made.',
  },
  account_not_found: {
    title: 'No such account',
    story: 'There was no connected account of this id.',
    next: 'Mend the id where the call is made, or call by connection and identifier.',
  },
  tool_not_found: {
    title: 'No such tool',
    story: 'There is no such tool.',
    next: 'Mend its name where the call is made.',
  },
  method_not_allowed: {
    title: 'Wrong method',
    story: 'The path does not take this method.',
    next: LOOK_AT_REQUEST,
  },
  request_timeout: {
    title: 'Request too slow',
    story: 'The caller took too long to send its request.',
    next: 'Look at the network between the caller and this service.',
  },
  conflict: {
    title: 'Changed meanwhile',
    story: 'Something else was changed at the same moment.',
    next: 'Call again.',
  },
  application_not_configured: {
    title: 'Application incomplete',
    story: 'The application lacks a setting that this needs.',
    next: 'Complete it in the settings of the application.',
  },
  connection_not_configured: {
    title: 'Connection incomplete',
    story: 'The connection lacks a setting, such as its client id.',
    next: 'Complete the settings of the connection.',
  },
  account_not_authorized: {
    title: 'Not authorized',
    story: 'The user never connected, has not allowed the access, or took it back.',
    next: 'Send the user a new link, or give the account a new key.',
  },
  payload_too_large: {
    title: 'Too large',
    story: 'More was sent or answered than is taken.',
    next: 'Ask for less, or in parts.',
  },
  idempotency_mismatch: {
    title: 'Key used before',
    story: 'The same idempotency key came with another request.',
    next: 'Take a new key for each call that is meant to happen.',
  },
  rate_limited: {
    title: 'Too many calls',
    story: 'There were too many calls in a short time.',
    next: 'Call more slowly, or wait as long as Retry-After says.',
  },
  headers_too_large: {
    title: 'Headers too large',
    story: 'The headers were larger than is taken.',
    next: LOOK_AT_REQUEST,
  },
  internal_error: {
    title: 'Fault of this service',
    story: 'This service made a mistake.',
    next: 'Look for the request id in its log, and report what stands there.',
  },
  upstream_failed: {
    title: 'Refused upstream',
    story: 'The upstream service was reached and refused the call.',
    next: 'Its status says why.',
  },
  connection_failed: {
    title: 'Not reached',
    story: 'The upstream service could not be reached, or the call ended before its answer was whole.',
    next: 'Test the connection, and look whether the caller hung up.',
  },
  unavailable: {
    title: 'Held back',
    story:
      'The call was refused to protect what is behind: too much was waiting, or the upstream service kept failing.',
    next: 'Call again a little later.',
  },
  upstream_timeout: {
    title: 'No answer in time',
    story: 'The upstream service did not answer in time.',
    next: 'Look whether the change happened before you call again.',
  },
};

/** The remedy for an upstream status, as the HTTP standard defines it. */
function upstreamNext(status: number): string {
  if (status === 401) return 'It does not take the credential of the account: renew its access.';
  if (status === 403)
    return 'The account may not do this there: look at its scopes, and at what its user may do.';
  if (status === 404) return 'What the call names does not exist there, or the account may not see it.';
  if (status === 429) return 'There were too many calls: call more slowly.';
  if (status >= 500) return 'The fault is on its side: call again later.';
  return 'The caller has to mend what it sends.';
}

/** The words for an error code. An unknown code of a newer service is its own title. */
export function errorWords(code: string, upstreamStatus?: number): ErrorWords {
  const words = WORDS[code];
  if (words === undefined)
    return {
      title: code,
      story: `The call failed with ${code}.`,
      next: 'Look for the request id in the log.',
    };
  if (code !== 'upstream_failed' || upstreamStatus === undefined) return words;
  return { ...words, next: upstreamNext(upstreamStatus) };
}

/** The words for a call that failed, with an error code of this service or with what the upstream answered. */
export const failureWords = (failed: {
  readonly errorCode?: string;
  readonly upstreamStatus?: number;
}): ErrorWords => errorWords(failed.errorCode ?? 'upstream_failed', failed.upstreamStatus);
