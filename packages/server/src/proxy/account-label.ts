import type { IncomingHttpHeaders } from 'node:http';
import { checkLabel } from '../connections/account-name.js';
import { ServiceError } from '../errors.js';

const HEADER = 'svc-account';
const PARAMETER = 'account';

interface TakenLabel {
  /** Label of the account. Absent or empty without a label. */
  readonly label?: string | undefined;
  /** Query parameter with the label, as the caller spelled it. Absent if the query names no label. */
  readonly labelQuery?: string | undefined;
  /** Query for the upstream. */
  readonly query: string;
}

/**
 * Returns the label in the header `svc-account`, which is empty for the account without a label. Returns `undefined`
 * without the header. Node.js reads header values as Latin-1, so other characters are percent-encoded.
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

/** Finds the parameters `account` of a query. A percent-encoded name counts too, because upstreams decode it. */
function findLabels(parts: readonly string[]): readonly string[] {
  return parts.filter((part) => {
    const name = nameOf(part);
    return name === PARAMETER || (name.includes('%') && new URLSearchParams(part).has(PARAMETER));
  });
}

/**
 * Takes the label of the account from a proxied request. With the header `svc-account`, the query stays unchanged for
 * the upstream. Otherwise the query parameter `account` is the label, and the upstream does not get it.
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
