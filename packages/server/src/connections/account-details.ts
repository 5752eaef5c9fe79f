import { ServiceError } from '../errors.js';
import type { AccountRow } from '../storage/schema.js';

/**
 * Data that the application attaches to an account. The service stores and returns it, and can filter accounts by it.
 */
export interface AccountDetails {
  readonly metadata: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
}

const MAX_METADATA_BYTES = 2048;

const isStorable = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text);

/**
 * Throws invalid_request for metadata and tags with control characters, invalid Unicode or too many bytes. The request
 * schema checks the number and length of the entries.
 */
export function checkDetails({ metadata = {}, tags = [] }: Partial<AccountDetails>): void {
  const texts = [...tags, ...Object.entries(metadata).flat()];
  if (!texts.every(isStorable)) {
    throw new ServiceError(
      'invalid_request',
      '`metadata` or `tags` contains a control character or invalid Unicode. Remove it, and send the request again.',
    );
  }
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes <= MAX_METADATA_BYTES) return;
  throw new ServiceError(
    'invalid_request',
    `\`metadata\` has ${bytes} bytes as JSON. Send at most ${MAX_METADATA_BYTES} bytes.`,
  );
}

/** Returns the database columns for the given metadata and tags. Absent values get no column. */
export const toColumns = ({ metadata, tags }: Partial<AccountDetails>) => ({
  ...(metadata && { metadata: JSON.stringify(metadata) }),
  ...(tags && { tags: JSON.stringify(tags) }),
});

export const detailsIn = ({ metadata, tags }: Pick<AccountRow, 'metadata' | 'tags'>): AccountDetails => ({
  metadata: JSON.parse(metadata),
  tags: JSON.parse(tags),
});

export const tagTerm = (tag: string): string => `tag:${tag}`;

/** Returns the search term of a metadata entry. `filter` has the form `key:value`; a key contains no colon. */
export const metadataTerm = (filter: string): string => `metadata:${filter}`;

export const labelTerm = (account: string): string => `account:${account}`;

/**
 * Returns the search terms of an account: its label, tags and metadata entries. They are stored in a separate table, by
 * which lists of accounts are filtered.
 */
export const termsOf = ({
  account,
  metadata,
  tags,
}: AccountDetails & Pick<AccountRow, 'account'>): readonly string[] => [
  ...(account === '' ? [] : [labelTerm(account)]),
  ...tags.map(tagTerm),
  ...Object.entries(metadata).map(([key, value]) => metadataTerm(`${key}:${value}`)),
];
