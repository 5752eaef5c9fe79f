import { DAY } from '../../zoned-time.js';
import { ADA, CHARLES, FIRST_DAY, GRACE, SOCIETY } from './seed-data.js';
import type { Comment, World } from './world.js';

const TALK_DAY = FIRST_DAY + 40 * DAY;

type NewComment = Pick<Comment, 'id' | 'authorId' | 'text'> & Partial<Pick<Comment, 'parentId' | 'videoId'>>;

const COMMENTS: readonly NewComment[] = [
  { id: 'UgzCards0000000000004AaABAg', authorId: GRACE, text: 'Cards!\nI had a drawer of them.' },
  { id: 'UgzSteam0000000000004AaABAg', authorId: CHARLES, text: 'I wish it ran by <steam>.' },
  { id: 'UgzThanks000000000004AaABAg', authorId: ADA, text: 'Thank you all for watching.' },
  { id: 'UgzWords0000000000004AaABAg', authorId: ADA, text: 'Words, at last.', videoId: 'graceCobol1' },
];

const REPLIES = 6;
const ANSWERED = 'UgzCards0000000000004AaABAg';

/** What people said to videos, whom they subscribed to, what they liked, and captions. */
export function addSeededTalk(world: World): void {
  const replies = Array.from({ length: REPLIES }, (_, index) => ({
    id: `${ANSWERED}.reply${index + 1}0000000000000000`,
    parentId: ANSWERED,
    authorId: index % 2 === 0 ? ADA : GRACE,
    text: `Reply ${index + 1}`,
  }));
  [...COMMENTS, ...replies].forEach((comment, index) => {
    world.comments.set(comment.id, {
      videoId: 'adaEngine01',
      publishedAt: TALK_DAY + index * 60_000,
      likes: index % 3,
      ...comment,
    });
  });
  addSubscriptions(world);
  addCaptions(world);
  world.ratings.set(ADA, new Map([['graceCobol1', 'like']]));
}

function addSubscriptions({ subscriptions }: World): void {
  const pairs = [
    [ADA, GRACE],
    [ADA, SOCIETY],
    [GRACE, ADA],
    [CHARLES, ADA],
    [CHARLES, SOCIETY],
  ] as const;
  pairs.forEach(([subscriberId, channelId], index) => {
    const id = Buffer.from(`${subscriberId} to ${channelId}`).toString('base64url');
    subscriptions.set(id, { id, subscriberId, channelId, publishedAt: TALK_DAY + index * DAY });
  });
}

function addCaptions({ captions }: World): void {
  const tracks = [
    { language: 'en', name: '', trackKind: 'ASR' },
    { language: 'en', name: 'By hand', trackKind: 'standard' },
    { language: 'de', name: '', trackKind: 'standard' },
  ] as const;
  for (const track of tracks) {
    const id = Buffer.from(`caption ${track.language} ${track.trackKind}`).toString('base64url');
    captions.set(id, {
      id,
      videoId: 'adaEngine01',
      isDraft: false,
      isAutoSynced: false,
      updatedAt: TALK_DAY,
      text: `1\n00:00:00,000 --> 00:00:02,500\nThe engine (${track.language})\n\n2\n00:00:02,500 --> 00:00:05,000\nweaves.\n`,
      ...track,
    });
  }
}
