import type { Outcome } from '../../../google/method.js';
import { ignored, NAMING, record, text, textOf, within, word } from '../body.js';
import { newItemId } from '../identifiers.js';
import { badArgument, denied, missing, type PlatformCall, platformMethods } from '../platform-call.js';
import { ANALYTICS } from '../scopes.js';
import { withEtag } from '../with-etag.js';
import type { Fields, World } from '../world.js';
import { type Group, type GroupItem, ITEM_TYPES, type ItemType } from './group.js';
import { findGroup } from './groups.js';

const MOST_ITEMS = 500;

const BODY = record({
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
    InsertGroupItem: { body: BODY, handle: insertItem },
    DeleteGroupItem: { parameters: { id: 'text' }, handle: deleteItem },
  },
);

function listItems(call: PlatformCall): Outcome {
  const group = findGroup(call, call.parameters.text('groupId'));
  const items = group.items.map((item) => present(group, item));
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
  return { body: present(group, item) };
}

/** The channel that a resource belongs to; the sandbox knows no assets. */
function ownerOf({ videos, playlists, channels }: World, kind: ItemType, id: string): string {
  const found = {
    'youtube#video': videos.get(id)?.channelId,
    'youtube#playlist': playlists.get(id)?.channelId,
    'youtube#channel': channels.get(id)?.id,
    'youtubePartner#asset': undefined,
  }[kind];
  if (found === undefined) throw missing('The resource cannot be found.');
  return found;
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

function present({ id: groupId }: Group, { id, resource }: GroupItem): Fields {
  return withEtag({ kind: 'youtube#groupItem', id, groupId, resource });
}
