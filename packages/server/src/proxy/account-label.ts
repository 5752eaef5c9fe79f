import type { IncomingHttpHeaders } from 'node:http';
import { checkLabel } from '../connections/account-name.js';
import { ServiceError } from '../errors.js';

const HEADER = 'svc-account';
const PARAMETER = 'account';

interface TakenLabel {
  /** Label of the account. Empty or absent if the caller named none. */
  readonly label?: string | undefined;
  /** Query parameter that contains the label, as the caller spelled it. Absent if the query names no label. */
  readonly labelQuery?: string | undefined;
  /** Query that is sent to the upstream. */
  readonly query: string;
}

/**
 * Returns the account label in the header `svc-account`. An empty label means the account without a label. Returns
 * `undefined` if the header is absent. The value is percent-decoded, because Node.js reads headers as Latin-1.
 */
export function labelIn({ [HEADER]: header }: IncomingHttpHeaders): string | undefined {
  return header === undefined ? undefined : decodeLabel(String(header));
}

function decodeLabel(text: string): string {
  try {
    return checkLabel(decodeURIComponent(text));
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError(
      'invalid_request',
      'The account label in the request is not valid percent-encoded UTF-8. Encode the label with encodeURIComponent.',
    );
  }
}

const nameOf = (part: string): string => part.split('=', 1)[0] ?? '';

/** Returns the query parameters named `account`. Counts a percent-encoded name too, because upstreams decode it. */
function findLabels(parts: readonly string[]): readonly string[] {
  return parts.filter((part) => {
    const name = nameOf(part);
    return name === PARAMETER || (name.includes('%') && new URLSearchParams(part).has(PARAMETER));
  });
}

/**
 * Takes the account label from a proxied request. If the header `svc-account` contains it, the upstream gets the query
 * unchanged. Otherwise the query parameter `account` contains it, and the upstream does not get this parameter.
 */
export function takeLabel(headers: IncomingHttpHeaders, query: string): TakenLabel {
  const label = labelIn(headers);
  if (label !== undefined || query === '') return { label, query };
  const parts = query.split('&');
  const [labelQuery, ...others] = findLabels(parts);
  if (labelQuery === undefined) return { query };
  if (others.length > 0)
    throw new ServiceError(
      'invalid_request',
      'The query has the parameter "account" more than once. Send the label of the connected account in the header "svc-account" instead. The service then passes the query to the upstream unchanged.',
    );
  const value = labelQuery.slice(nameOf(labelQuery).length + 1).replaceAll('+', ' ');
  return {
    label: decodeLabel(value),
    labelQuery,
    query: parts.filter((part) => part !== labelQuery).join('&'),
  };
}
