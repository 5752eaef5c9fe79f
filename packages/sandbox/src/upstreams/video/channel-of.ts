import { ApiError } from '../../google/api-error.js';
import type { Person } from '../../person.js';
import type { Channel, World } from './world.js';

/** The channel that a person acts as. */
export function channelOf({ channels }: Pick<World, 'channels'>, person: Person): Channel {
  const found = [...channels.values()].find(({ personId }) => personId === person.id);
  if (found !== undefined) return found;
  throw new ApiError(401, 'youtubeSignupRequired', 'Unauthorized', { domain: 'youtube.header' });
}
