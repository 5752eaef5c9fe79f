import type { Outcome } from '../../../google/method.js';
import { readPageToken, writePageToken } from '../../../google/page-token.js';
import { ignored, NAMING, record, text, textOf, within, word } from '../body.js';
import { newGroupId } from '../identifiers.js';
import { badArgument, denied, missing, type PlatformCall, platformMethods } from '../platform-call.js';
import { ANALYTICS } from '../scopes.js';
import { withEtag } from '../with-etag.js';
import { type Fields, timeOf } from '../world.js';
import { type Group, ITEM_TYPES, type ItemType } from './group.js';

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

/** The group that a request names, if it belongs to whom the request is made for. */
export function findGroup({ world, owner }: PlatformCall, id: string | undefined): Group {
  if (id === undefined || id === '') throw badArgument('The request has no group id.');
  const found = world.groups.get(id);
  if (found === undefined) throw missing('The group cannot be found.');
  if (found.owner !== owner) throw denied();
  return found;
}

const PAGE = 20;

function listGroups(call: PlatformCall): Outcome {
  const { parameters, world, owner } = call;
  const ids = parameters.text('id')?.split(',');
  if (ids === undefined && parameters.flag('mine') !== true)
    throw badArgument('No filter selected. Expected one of: id, mine');
  const mine = [...world.groups.values()].filter((group) => group.owner === owner);
  const found = ids === undefined ? mine : mine.filter(({ id }) => ids.includes(id));
  const offset = readPageToken(parameters.text('pageToken'), parameters.fingerprint());
  if (offset === undefined) throw badArgument('The page token is not valid.');
  const next = offset + PAGE;
  return {
    body: withEtag({
      kind: 'youtube#groupListResponse',
      items: found.slice(offset, next).map(present),
      ...(next < found.length ? { nextPageToken: writePageToken(next, parameters.fingerprint()) } : {}),
    }),
  };
}

// A channel groups its videos and playlists; channels and assets are for content owners.
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
