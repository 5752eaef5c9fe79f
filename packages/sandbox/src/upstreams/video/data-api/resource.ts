import { readPageToken, writePageToken } from '../../../google/page-token.js';
import type { Rules } from '../../../google/parameter-rules.js';
import { withEtag } from '../body.js';
import { invalidPageToken } from '../refusals.js';
import type { Fields } from '../world.js';
import type { Call } from './call.js';

/** Paging parameters of most lists. Comment lists allow larger pages. */
export const PAGED: Rules = { maxResults: { min: 0, max: 50 }, pageToken: 'text' };
export const PAGED_COMMENTS: Rules = { maxResults: { min: 1, max: 100 }, pageToken: 'text' };

interface Listing<Item> {
  readonly kind: string;
  readonly size: number;
  /** True if the list has no `prevPageToken`, as for comments. */
  readonly isOneWay?: boolean;
  readonly extra?: Fields;
  present(item: Item): Fields;
}

export function listPage<Item>(
  { parameters }: Call,
  items: readonly Item[],
  { kind, size, isOneWay = false, extra = {}, present }: Listing<Item>,
): Fields {
  const fingerprint = parameters.fingerprint();
  const offset = readPageToken(parameters.text('pageToken'), fingerprint);
  if (offset === undefined) throw invalidPageToken();
  const next = offset + size;
  return withEtag({
    kind: `youtube#${kind}`,
    ...(size > 0 && next < items.length ? { nextPageToken: writePageToken(next, fingerprint) } : {}),
    ...(offset > 0 && !isOneWay
      ? { prevPageToken: writePageToken(Math.max(0, offset - size), fingerprint) }
      : {}),
    ...extra,
    pageInfo: { totalResults: items.length, resultsPerPage: size },
    items: items.slice(offset, next).map(present),
  });
}

/** Functions that build the parts of a resource. A part with the value undefined is omitted. */
export type PartMakers<Item> = Readonly<Record<string, (item: Item, call: Call) => object | undefined>>;

export function partNames<Item>(makers: PartMakers<Item>): string[] {
  return ['id', ...Object.keys(makers)];
}

interface Making<Item> {
  readonly kind: string;
  readonly makers: PartMakers<Item>;
  readonly call: Call;
}

export function presentResource<Item extends { readonly id: string }>(
  item: Item,
  { kind, makers, call }: Making<Item>,
): Fields {
  const body: Fields = {};
  for (const [name, make] of Object.entries(makers)) {
    const part = call.parts.has(name) ? make(item, call) : undefined;
    if (part !== undefined) body[name] = part;
  }
  return withEtag({ kind: `youtube#${kind}`, id: item.id, ...body });
}

const SIZES = { default: [120, 90], medium: [320, 180], high: [480, 360] };
const LARGE_SIZES = {
  standard: [640, 480],
  maxres: [1280, 720],
  fhd: [1920, 1080],
  qhd: [2560, 1440],
  uhd: [3840, 2160],
};

/** Builds thumbnail URLs by size. Only some videos have the large sizes. */
export function thumbnails(address: string, { hasLarge = false } = {}): Fields {
  return Object.fromEntries(
    Object.entries({ ...SIZES, ...(hasLarge ? LARGE_SIZES : {}) }).map(([name, [width, height]]) => [
      name,
      { url: `https://i.ytimg.com/${address}/${name}.jpg`, width, height },
    ]),
  );
}
