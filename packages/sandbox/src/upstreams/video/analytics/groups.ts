import type { Outcome } from '../../../google/method.js';
import { readPageToken, writePageToken } from '../../../google/page-token.js';
import { ignored, NAMING, record, text, textOf, withEtag, within, word } from '../body.js';
import { badArgument, denied, missing, type PlatformCall, platformMethods } from '../platform-call.js';
import { ANALYTICS } from '../scopes.js';
import {
  type Fields,
  type Group,
  type GroupItem,
  ITEM_TYPES,
  type ItemType,
  newGroupId,
  newItemId,
  timeOf,
  type World,
} from '../world.js';

const BODY = record({
  ...NAMING,
  snippet: record({ title: text, publishedAt: ignored }),
  contentDetails: record({ itemType: word(...ITEM_TYPES), itemCount: ignored }),
  errors: ignored,
});

export const groupMethods = platformMethods(
  'youtube.analytics.v2.GroupsService',
  { path: '/groups', scopes: ANALYTICS },
  {
    ListGroups: { parameters: { id: 'text', mine: 'flag', pageToken: 'text' }, handle: listGroups },
    InsertGroup: { body: BODY, handle: insertGroup },
    UpdateGroup: { body: BODY, handle: updateGroup },
    DeleteGroup: { parameters: { id: 'text' }, handle: deleteGroup },
  },
);

export function findGroup({ world, owner }: PlatformCall, id: string | undefined): Group {
  if (id === undefined || id === '') throw badArgument('The request has no group id.');
  const group = world.groups.get(id);
  if (group === undefined) throw missing('The group cannot be found.');
  if (group.owner !== owner) throw denied();
  return group;
}

const PAGE = 20;

function listGroups(call: PlatformCall): Outcome {
  const { parameters, world, owner } = call;
  const ids = parameters.text('id')?.split(',');
  if (ids === undefined && parameters.flag('mine') !== true)
    throw badArgument('No filter selected. Expected one of: id, mine');
  const mine = [...world.groups.values()].filter((group) => group.owner === owner);
  const groups = ids === undefined ? mine : mine.filter(({ id }) => ids.includes(id));
  const offset = readPageToken(parameters.text('pageToken'), parameters.fingerprint());
  if (offset === undefined) throw badArgument('The page token is not valid.');
  const next = offset + PAGE;
  return {
    body: withEtag({
      kind: 'youtube#groupListResponse',
      items: groups.slice(offset, next).map(present),
      ...(next < groups.length ? { nextPageToken: writePageToken(next, parameters.fingerprint()) } : {}),
    }),
  };
}

// Item types for groups of a channel. Only content owners can group channels and assets.
const FOR_CHANNELS: readonly ItemType[] = ['youtube#video', 'youtube#playlist'];

function insertGroup({ world, owner, me, body }: PlatformCall): Outcome {
  const itemType = ITEM_TYPES.find((type) => type === within(body, 'contentDetails').itemType);
  const title = readTitle(body);
  if (itemType === undefined) throw badArgument('The group has no item type.');
  if (owner === me.id && !FOR_CHANNELS.includes(itemType)) throw denied();
  const group = { id: newGroupId(), owner, title, itemType, publishedAt: world.now(), items: [] };
  world.groups.set(group.id, group);
  return { body: present(group) };
}

function updateGroup(call: PlatformCall): Outcome {
  const group = findGroup(call, textOf(call.body, 'id'));
  group.title = readTitle(call.body);
  return { body: present(group) };
}

function readTitle(body: Fields): string {
  const title = textOf(within(body, 'snippet'), 'title') ?? '';
  if (title.trim() === '') throw badArgument('The group has no title.');
  return title;
}

function deleteGroup(call: PlatformCall): Outcome {
  call.world.groups.delete(findGroup(call, call.parameters.text('id')).id);
  return { status: 204 };
}

function present({ id, title, itemType, publishedAt, items }: Group): Fields {
  return withEtag({
    kind: 'youtube#group',
    id,
    snippet: { publishedAt: timeOf(publishedAt), title },
    contentDetails: { itemCount: String(items.length), itemType },
  });
}

const MOST_ITEMS = 500;

const ITEM_BODY = record({
  ...NAMING,
  groupId: text,
  resource: record({ id: text, kind: word(...ITEM_TYPES) }),
  errors: ignored,
});

export const groupItemMethods = platformMethods(
  'youtube.analytics.v2.GroupItemsService',
  { path: '/groupItems', scopes: ANALYTICS },
  {
    ListGroupItems: { parameters: { groupId: 'text' }, handle: listItems },
    InsertGroupItem: { body: ITEM_BODY, handle: insertItem },
    DeleteGroupItem: { parameters: { id: 'text' }, handle: deleteItem },
  },
);

function listItems(call: PlatformCall): Outcome {
  const group = findGroup(call, call.parameters.text('groupId'));
  const items = group.items.map((item) => presentItem(group, item));
  return { body: withEtag({ kind: 'youtube#groupItemListResponse', items }) };
}

function insertItem(call: PlatformCall): Outcome {
  const resource = within(call.body, 'resource');
  const group = findGroup(call, textOf(call.body, 'groupId'));
  const id = textOf(resource, 'id') ?? '';
  if (id === '') throw badArgument('The request names no resource.');
  if (resource.kind !== group.itemType)
    throw badArgument('The kind of the resource is not that of the group.');
  if (group.items.some((item) => item.resource.id === id)) return { status: 204 };
  if (group.items.length >= MOST_ITEMS) throw denied('The group has the most items that it can have.');
  if (ownerOf(call.world, group.itemType, id) !== call.me.id) throw denied('The resource is not yours.');
  const item = { id: newItemId(), resource: { kind: group.itemType, id } };
  group.items.push(item);
  return { body: presentItem(group, item) };
}

/** Returns the owning channel of a video, playlist or channel. Assets are never found, because the sandbox has none. */
function ownerOf({ videos, playlists, channels }: World, kind: ItemType, id: string): string {
  const owners = {
    'youtube#video': videos.get(id)?.channelId,
    'youtube#playlist': playlists.get(id)?.channelId,
    'youtube#channel': channels.get(id)?.id,
    'youtubePartner#asset': undefined,
  }[kind];
  if (owners === undefined) throw missing('The resource cannot be found.');
  return owners;
}

function deleteItem(call: PlatformCall): Outcome {
  const { world, owner, parameters } = call;
  const id = parameters.text('id');
  if (id === undefined) throw badArgument('The request has no id.');
  const group = [...world.groups.values()].find(({ items }) => items.some((item) => item.id === id));
  if (group === undefined) throw missing('The group item cannot be found.');
  if (group.owner !== owner) throw denied();
  group.items.splice(
    group.items.findIndex((item) => item.id === id),
    1,
  );
  return { status: 204 };
}

function presentItem({ id: groupId }: Group, { id, resource }: GroupItem): Fields {
  return withEtag({ kind: 'youtube#groupItem', id, groupId, resource });
}
