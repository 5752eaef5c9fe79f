import { forbidden, missingParameter } from '../refusals.js';
import type { Channel } from '../world.js';

const OWNER = 'onBehalfOfContentOwner';
const CHANNEL = 'onBehalfOfContentOwnerChannel';

/** By verb and path: what partners may add, as the description of the API has it. */
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  'GET /captions': [OWNER, 'onBehalfOf'],
  'GET /channels': [OWNER],
  'PUT /channels': [OWNER],
  'GET /playlistItems': [OWNER],
  'POST /playlistItems': [OWNER],
  'PUT /playlistItems': [OWNER],
  'DELETE /playlistItems': [OWNER],
  'GET /playlists': [OWNER, CHANNEL],
  'POST /playlists': [OWNER, CHANNEL],
  'PUT /playlists': [OWNER],
  'DELETE /playlists': [OWNER],
  'GET /search': [OWNER],
  'GET /subscriptions': [OWNER, CHANNEL],
  'GET /videos': [OWNER],
  'PUT /videos': [OWNER],
  'DELETE /videos': [OWNER],
  'GET /videos/getRating': [OWNER],
};

interface Named {
  readonly verb: unknown;
  readonly path: string;
}

export const ownerParameters = ({ verb, path }: Named): readonly string[] => TAKEN[`${verb} ${path}`] ?? [];

/** Refuses a content owner that the caller does not act for, and a channel without one. */
export function checkOwner(query: URLSearchParams, { contentOwner }: Channel, isPartner: boolean): void {
  const owner = query.get(OWNER);
  if (owner === null && query.has(CHANNEL)) throw missingParameter(OWNER);
  if (owner !== null && !(isPartner && owner === contentOwner)) throw forbidden();
}
