import type { Outcome } from '../../../google/method.js';
import { rules } from '../../../google/parameter-rules.js';
import { DAY } from '../../../zoned-time.js';
import { withEtag } from '../body.js';
import { refuse } from '../refusals.js';
import { MEMBERS, VIEWING } from '../scopes.js';
import { CHARLES, GRACE } from '../seed-data.js';
import { type Channel, type Fields, timeOf } from '../world.js';
import { type Call, type Method, serviceMethods, splitList } from './call.js';
import { checkLanguage } from './filters.js';
import { profileOf } from './find-chat.js';
import { listPage, type PartMakers, partNames, presentResource } from './resource.js';

/** Membership levels, in ascending order of price. Every channel with memberships has these levels. */
const LEVELS = [
  { id: 'levelCards', name: 'Punched cards' },
  { id: 'levelEngine', name: 'The engine' },
] as const;

interface Member {
  readonly id: string;
  readonly level: number;
  readonly months: number;
}

/** Seeded members and payments. They exist from the start, because the API cannot create them. */
const SEEDED_MEMBERS: readonly Member[] = [
  { id: CHARLES, level: 1, months: 9 },
  { id: GRACE, level: 0, months: 2 },
];
const MONTH = 30 * DAY;
const PAID = [
  { id: 'superThanks', from: GRACE, days: 1, micros: 5_000_000, text: 'For the cards' },
  { id: 'superSteam', from: CHARLES, days: 3, micros: 2_000_000, text: 'For steam' },
  { id: 'superOld', from: CHARLES, days: 45, micros: 1_000_000, text: 'Too long ago' },
];
const HISTORY_DAYS = 30;

const MEMBER_MAKERS: PartMakers<Member> = { snippet: presentMember };
const LEVEL_MAKERS: PartMakers<(typeof LEVELS)[number]> = {
  snippet: ({ name }, { me }) => ({ creatorChannelId: me.id, levelDetails: { displayName: name } }),
};
const PAID_MAKERS: PartMakers<(typeof PAID)[number]> = {
  snippet: ({ from, days, micros, text }, { world, me }) => ({
    channelId: me.id,
    supporterDetails: profileIn(world.channels.get(from)),
    commentText: text,
    createdAt: timeOf(world.now() - days * DAY),
    amountMicros: String(micros),
    currency: 'GBP',
    displayString: `£${(micros / 1_000_000).toFixed(2)}`,
    messageType: 1 + Math.floor(micros / 2_000_000),
    isSuperStickerEvent: false,
  }),
};

const profileIn = (channel: Channel | undefined): Fields => (channel === undefined ? {} : profileOf(channel));

function presentMember({ id, level, months }: Member, { world, me }: Call): Fields {
  const open = LEVELS.slice(0, level + 1);
  const since = timeOf(world.now() - months * MONTH);
  const duration = { memberSince: since, memberTotalDurationMonths: months };
  const highest = LEVELS[level];
  return {
    creatorChannelId: me.id,
    memberDetails: profileIn(world.channels.get(id)),
    membershipsDetails: {
      highestAccessibleLevel: highest?.id,
      highestAccessibleLevelDisplayName: highest?.name,
      accessibleLevels: open.map((one) => one.id),
      membershipsDuration: duration,
      membershipsDurationAtLevels: open.map((one) => ({ level: one.id, ...duration })),
    },
  };
}

export const memberMethods: readonly Method[] = [
  ...serviceMethods('Member', '/members', {
    List: {
      scopes: MEMBERS,
      parameters: {
        mode: { words: ['listMembersModeUnknown', 'updates', 'all_current'] },
        ...rules('text', 'hasAccessToLevel filterByMemberChannelId pageToken'),
        maxResults: { min: 0, max: 1000 },
      },
      parts: partNames(MEMBER_MAKERS).slice(1),
      units: 2,
      handle: listMembers,
    },
  }),
  ...serviceMethods('MembershipsLevel', '/membershipsLevels', {
    List: {
      scopes: MEMBERS,
      parts: partNames(LEVEL_MAKERS),
      handle(call) {
        checkMemberships(call);
        const items = LEVELS.map((level) =>
          presentResource(level, { kind: 'membershipsLevel', makers: LEVEL_MAKERS, call }),
        );
        return { body: withEtag({ kind: 'youtube#membershipsLevelListResponse', items }) };
      },
    },
  }),
  ...serviceMethods('SuperChatEvent', '/superChatEvents', {
    List: {
      scopes: VIEWING,
      parameters: { hl: 'text', maxResults: { min: 1, max: 50 }, pageToken: 'text' },
      parts: partNames(PAID_MAKERS),
      handle: listPaid,
    },
  }),
];

// Lists one-time payments of the last 30 days. The list is empty for channels without memberships.
function listPaid(call: Call): Outcome {
  checkLanguage(call.parameters.text('hl'));
  const events = call.me.hasMemberships ? PAID.filter(({ days }) => days <= HISTORY_DAYS) : [];
  return {
    body: listPage(call, events, {
      kind: 'superChatEventListResponse',
      size: call.parameters.integer('maxResults', 5),
      isOneWay: true,
      present: (one) => presentResource(one, { kind: 'superChatEvent', makers: PAID_MAKERS, call }),
    }),
  };
}

function checkMemberships({ me }: Call): void {
  if (!me.hasMemberships)
    throw refuse(403, 'channelMembershipsNotEnabled', 'The channel does not have memberships enabled.');
}

// Lists members of the channel. Mode `updates` returns none, because no member joins after the first request.
function listMembers(call: Call): Outcome {
  const { parameters } = call;
  checkMemberships(call);
  const level = parameters.text('hasAccessToLevel');
  const least = level === undefined ? 0 : LEVELS.findIndex(({ id }) => id === level);
  if (least < 0) throw refuse(400, 'invalidLevel', 'The channel has no such level.');
  const wanted = splitList(parameters.text('filterByMemberChannelId') ?? '');
  const candidates = parameters.text('mode') === 'updates' ? [] : SEEDED_MEMBERS;
  const members = candidates.filter(
    (one) => one.level >= least && (wanted.length === 0 || wanted.includes(one.id)),
  );
  return {
    body: listPage(call, members, {
      kind: 'memberListResponse',
      size: parameters.integer('maxResults', 5),
      isOneWay: true,
      present(member) {
        const { id: _, ...body } = presentResource(member, { kind: 'member', makers: MEMBER_MAKERS, call });
        return body;
      },
    }),
  };
}
