import { isObject } from '../../../src/json.js';
import type { RecordedResponse } from './record-responses.js';

/** A response value and the vendor's TypeScript type to which it must be assignable. */
export interface Typed {
  readonly type: string;
  readonly value: unknown;
}

/** Response fields that the real services send but the vendors' types omit. */
const UNTYPED = {
  // Request id, which every response contains.
  notion: ['request_id'],
  // Email address in identities, which the reference omits, and columns of list items, which differ by site.
  graph: ['email', 'fields'],
  // Category field of an actor in the store.
  apify: ['categories'],
};

/** Detects OData annotations, whose names contain `@`. */
const isAnnotation = (name: string): boolean => name.includes('@');

function without(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, names));
  if (!isObject(value)) return value;
  const own = Object.entries(value).filter(([name]) => !isAnnotation(name) && !names.includes(name));
  return Object.fromEntries(own.map(([name, inner]) => [name, without(inner, names)]));
}

type Finder = (response: RecordedResponse) => readonly Typed[];

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const OF_NOTION: Readonly<Record<string, string>> = {
  page: 'notion.PageObjectResponse',
  block: 'notion.BlockObjectResponse',
  comment: 'notion.CommentObjectResponse',
  data_source: 'notion.DataSourceObjectResponse',
  database: 'notion.DatabaseObjectResponse',
  file_upload: 'notion.FileUploadObjectResponse',
  page_markdown: "Awaited<ReturnType<notion.Client['pages']['retrieveMarkdown']>>",
  property_item: 'notion.PropertyItemObjectResponse',
  user: 'notion.UserObjectResponse',
  view: 'notion.DataSourceViewObjectResponse',
  view_query: 'notion.ViewQueryResponse',
};

const DELETED_OF_NOTION: Readonly<Record<string, string>> = {
  view: 'notion.DeleteViewResponse',
  view_query: 'notion.DeleteViewQueryResponse',
};

/** Finds the type of a Notion object by its `object` field. Lists are split into their objects. */
const ofNotion: Finder = ({ method, path, body }) => {
  if (!isObject(body)) return [];
  const results = Array.isArray(body.results) ? body.results : undefined;
  if (results !== undefined && body.object === 'list')
    return results.flatMap((value) => ofNotion({ method, path, body: value }));
  const name = String(body.object);
  const value = without(body, UNTYPED.notion);
  // Objects that were created or deleted together with a page may contain only their id.
  if (Object.keys(Object(value)).length === 2) return [];
  const type = method === 'DELETE' ? (DELETED_OF_NOTION[name] ?? OF_NOTION[name]) : OF_NOTION[name];
  return type === undefined ? [] : [{ type, value }];
};

const OWN_NAMES: Readonly<Record<string, string>> = {
  'calendar#freeBusy': 'calendar.calendar_v3.Schema$FreeBusyResponse',
  'youtubeAnalytics#resultTable': 'analytics.youtubeAnalytics_v2.Schema$QueryResponse',
  'youtube#group': 'analytics.youtubeAnalytics_v2.Schema$Group',
  'youtube#groupItem': 'analytics.youtubeAnalytics_v2.Schema$GroupItem',
  'youtube#groupListResponse': 'analytics.youtubeAnalytics_v2.Schema$ListGroupsResponse',
  'youtube#groupItemListResponse': 'analytics.youtubeAnalytics_v2.Schema$ListGroupItemsResponse',
  'youtube#videoGetRatingResponse': 'youtube.youtube_v3.Schema$VideoGetRatingResponse',
};

/** Types of Google responses without a `kind` field, by path. */
const WITHOUT_KIND: Readonly<Record<string, string>> = {
  '/youtube/v3/abuseReports': 'youtube.youtube_v3.Schema$AbuseReport',
  '/youtube/v3/liveBroadcasts/cuepoint': 'youtube.youtube_v3.Schema$Cuepoint',
};

/** Finds the type of a Google response by its `kind` field. */
const ofGoogle: Finder = ({ path, body }) => {
  const own = WITHOUT_KIND[path];
  if (own !== undefined) return [{ type: own, value: body }];
  const kind = isObject(body) ? String(body.kind) : '';
  const [service = '', name = ''] = kind.split('#');
  if (name === '') return [];
  return [{ type: OWN_NAMES[kind] ?? `${service}.${service}_v3.Schema$${capital(name)}`, value: body }];
};

const OF_GRAPH: readonly (readonly [field: string, type: string])[] = [
  ['driveType', 'Drive'],
  ['userPrincipalName', 'User'],
  ['uploadUrl', 'UploadSession'],
  ['nextExpectedRanges', 'UploadSession'],
  ['link', 'Permission'],
  ['siteCollection', 'Site'],
  ['contentType', 'ListItem'],
  ['folder', 'DriveItem'],
  ['file', 'DriveItem'],
  ['list', 'List'],
  ['webUrl', 'Site'],
];

/** Finds the type of a Graph resource by a field that only this type has. Lists are split into their resources. */
const ofGraph: Finder = ({ body, ...of }) => {
  if (!isObject(body)) return [];
  if (Array.isArray(body.value)) return body.value.flatMap((value) => ofGraph({ ...of, body: value }));
  const [, type] = OF_GRAPH.find(([field]) => field in body) ?? [];
  return type === undefined ? [] : [{ type: `graph.${type}`, value: without(body, UNTYPED.graph) }];
};

const OF_APIFY: readonly (readonly [field: string, type: string])[] = [
  ['containerUrl', 'ActorRun'],
  ['actId', 'ActorRunListItem'],
  ['itemCount', 'Dataset'],
  ['exclusiveStartKey', 'KeyValueClientListKeysResult'],
  ['currentPricingInfo', 'ActorStoreList'],
  ['defaultRunOptions', 'Actor'],
  ['keysPublicUrl', 'KeyValueStore'],
  ['profile', 'User'],
  ['modifiedAt', 'ActorCollectionListItem'],
];

/** Finds the type of an Apify response by a field that only this type has. Lists are split into their items. */
const ofApify: Finder = ({ body, ...of }) => {
  const data = isObject(body) && isObject(body.data) ? body.data : body;
  if (!isObject(data)) return [];
  if (Array.isArray(data.items) && !('exclusiveStartKey' in data))
    return data.items.flatMap((value) => ofApify({ ...of, body: value }));
  const [, type] = OF_APIFY.find(([field]) => field in data) ?? [];
  if (type === undefined) return [];
  // Actor runs in progress have no `finishedAt`, but the vendor's type requires it.
  const whole = data.status === 'RUNNING' ? `Omit<apify.${type}, 'finishedAt'>` : `apify.${type}`;
  return [{ type: whole, value: without(data, UNTYPED.apify) }];
};

export const FINDERS = { notion: ofNotion, google: ofGoogle, graph: ofGraph, apify: ofApify };
