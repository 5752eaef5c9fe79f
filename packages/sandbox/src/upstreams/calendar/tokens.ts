import { isObject, parseJson } from '../../json.js';
import { fullSyncRequired, invalidParameter } from './api-error.js';

/** Where a page begins, and for which question. */
export function writePageToken(offset: number, fingerprint: string): string {
  return encode({ offset, fingerprint });
}

/** The filters have to be repeated with every page. */
export function readPageToken(token: string | undefined, fingerprint: string): number {
  if (token === undefined) return 0;
  const { offset, fingerprint: asked } = decode(token);
  if (typeof offset !== 'number' || asked !== fingerprint)
    throw invalidParameter('pageToken', 'Invalid page token value.');
  return offset;
}

const MONTH = 30 * 24 * 3600 * 1000;

/** Stands for everything up to a change. */
export function writeSyncToken(change: number, now: number): string {
  return encode({ change, now });
}

/** The last change that the caller knows; a token lives thirty days. */
export function readSyncToken(token: string, lastChange: number, now: number): number {
  const { change, now: issued } = decode(token);
  if (typeof change !== 'number' || typeof issued !== 'number') throw fullSyncRequired();
  if (change > lastChange || now - issued > MONTH) throw fullSyncRequired();
  return change;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decode(token: string): Record<string, unknown> {
  const value = parseJson(Buffer.from(token, 'base64url').toString('utf8'));
  return isObject(value) ? value : {};
}
