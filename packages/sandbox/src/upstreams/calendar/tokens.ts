import { readOpaque, readPageToken, writeOpaque } from '../../google/page-token.js';
import type { Parameters } from '../../google/parameters.js';
import { fullSyncRequired, invalidParameter } from './api-error.js';

export function readOffset(parameters: Parameters): number {
  const offset = readPageToken(parameters.text('pageToken'), parameters.fingerprint());
  if (offset === undefined) throw invalidParameter('pageToken', 'Invalid page token value.');
  return offset;
}

const MONTH = 30 * 24 * 3600 * 1000;

export function writeSyncToken(change: number, now: number): string {
  return writeOpaque({ change, now });
}

/** Returns the number of the last change that the caller knows. A sync token expires after 30 days. */
export function readSyncToken(token: string, lastChange: number, now: number): number {
  const { change, now: issued } = readOpaque(token);
  if (typeof change !== 'number' || typeof issued !== 'number') throw fullSyncRequired();
  if (change > lastChange || now - issued > MONTH) throw fullSyncRequired();
  return change;
}
