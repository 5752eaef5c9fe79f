import { isObject } from '../../json.js';
import { invalidRequest } from './api-error.js';
import type { Call, Endpoint, Outcome } from './call.js';
import { present } from './items.js';
import type { ItemRecord, SiteRecord } from './state.js';

type Json = Readonly<Record<string, unknown>>;

interface Search {
  readonly words: readonly string[];
  readonly fileType: string | undefined;
  readonly path: string | undefined;
  readonly from: number;
  readonly size: number;
}

function checkKeys(value: Json, known: readonly string[]): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw invalidRequest(`Property '${unknown}' is not valid in a search request.`);
}

function readCount(value: unknown, { name, most }: { name: string; most: number }): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw invalidRequest(`The value of '${name}' has to be between 0 and ${most}.`);
}

const FILE_TYPE = /(?:^| )filetype:(\w+)/i;
const PATH = /(?:^| )path:"([^"]+)"/i;

function readSearch({ requests, ...rest }: Json): Search {
  checkKeys(rest, []);
  const [request] = Array.isArray(requests) ? requests : [];
  if (!Array.isArray(requests) || requests.length !== 1 || !isObject(request))
    throw invalidRequest('Give exactly one search request.');
  checkKeys(request, ['entityTypes', 'query', 'from', 'size']);
  const { entityTypes, query, from = 0, size = 25 } = request;
  if (!Array.isArray(entityTypes) || entityTypes.length !== 1 || entityTypes[0] !== 'driveItem')
    throw invalidRequest('The entity types are not supported.');
  const text = isObject(query) ? query.queryString : undefined;
  if (typeof text !== 'string' || text.trim() === '') throw invalidRequest('The query string is missing.');
  return {
    words: text.replace(FILE_TYPE, '').replace(PATH, '').toLowerCase().split(/\s+/).filter(Boolean),
    fileType: FILE_TYPE.exec(text)?.[1]?.toLowerCase(),
    path: PATH.exec(text)?.[1]?.toLowerCase(),
    from: readCount(from, { name: 'from', most: 10_000 }),
    size: readCount(size, { name: 'size', most: 1000 }),
  };
}

function matches(item: ItemRecord, address: string, { words, fileType, path }: Search): boolean {
  const name = item.name.toLowerCase();
  const text = `${name} ${item.content?.toString('utf8').toLowerCase()}`;
  const isOfType = fileType === undefined || name.endsWith(`.${fileType}`);
  return (
    isOfType && (path === undefined || address.startsWith(path)) && words.every((word) => text.includes(word))
  );
}

/** Builds a search hit. Hits omit the download link and the properties that only a library listing returns. */
function resourceOf(call: Call, site: SiteRecord, item: ItemRecord): Json {
  const { id, name, size, webUrl, createdDateTime, lastModifiedDateTime, createdBy, lastModifiedBy } =
    present(call, site, item);
  const parentReference = { driveId: site.driveId, id: item.parent?.id, siteId: site.id };
  return {
    '@odata.type': '#microsoft.graph.driveItem',
    ...{ id, name, size, webUrl, createdDateTime, lastModifiedDateTime, createdBy, lastModifiedBy },
    parentReference,
  };
}

/** Searches files in all indexed libraries and in the person's own library. */
function search(call: Call): Outcome {
  const wanted = readSearch(call.json());
  const all = [...call.state.sites.values()]
    .filter(({ isIndexed, isPersonal }) => isIndexed || isPersonal)
    .flatMap((site) =>
      [...site.items.values()]
        .filter(({ content }) => content !== undefined)
        .map((item) => ({ item, resource: resourceOf(call, site, item) })),
    )
    .filter(({ item, resource }) => matches(item, String(resource.webUrl).toLowerCase(), wanted));
  const end = wanted.from + wanted.size;
  const hits = all.slice(wanted.from, end).map(({ item, resource }, index) => ({
    hitId: item.id,
    rank: wanted.from + index + 1,
    summary: item.content?.toString('utf8', 0, 100) ?? '',
    resource,
  }));
  const container = {
    ...(hits.length === 0 ? {} : { hits }),
    total: all.length,
    moreResultsAvailable: end < all.length,
  };
  const value = [{ searchTerms: wanted.words, hitsContainers: [container] }];
  return {
    status: 200,
    body: { value, '@odata.context': call.context('Collection(microsoft.graph.searchResponse)') },
  };
}

export const searchEndpoints: readonly Endpoint[] = [
  {
    verb: 'POST',
    path: /^\/search\/query$/,
    scopes: ['Files.Read.All', 'Files.ReadWrite.All', 'Sites.Read.All', 'Sites.ReadWrite.All'],
    handle: search,
  },
];
