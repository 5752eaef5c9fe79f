import { createHash } from 'node:crypto';
import { isObject } from '../../json.js';
import { invalid, required } from './api-error.js';
import type { EventRecord, Fields } from './state.js';

export const CONFERENCE_SOLUTIONS: readonly unknown[] = ['hangoutsMeet'];

export type ConferenceChange =
  | { readonly kind: 'create'; readonly request: Fields }
  | { readonly kind: 'remove' }
  | { readonly kind: 'keep' };

/**
 * Parses `conferenceData` of an event body. Ignores it without an error unless `conferenceDataVersion` is at least 1.
 */
export function readConferenceChange(body: Readonly<Fields>, version: number): ConferenceChange {
  const { conferenceData } = body;
  if (version < 1 || conferenceData === undefined) return { kind: 'keep' };
  if (conferenceData === null) return { kind: 'remove' };
  const request = isObject(conferenceData) ? conferenceData.createRequest : undefined;
  if (!isObject(request)) return { kind: 'keep' };
  if (typeof request.requestId !== 'string' || request.requestId === '')
    throw required('Missing conference request ID.');
  const key = isObject(request.conferenceSolutionKey) ? request.conferenceSolutionKey.type : 'hangoutsMeet';
  if (!CONFERENCE_SOLUTIONS.includes(key)) throw invalid('Invalid conference type value.');
  return { kind: 'create', request: { requestId: request.requestId, conferenceSolutionKey: { type: key } } };
}

/** Creates or removes the event's video conference. A repeated request id has no effect. */
export function applyConference(event: EventRecord, change: ConferenceChange): void {
  if (change.kind === 'keep') return;
  if (change.kind === 'remove') {
    delete event.fields.conferenceData;
    event.conferencePending = false;
    return;
  }
  const known = isObject(event.fields.conferenceData) ? event.fields.conferenceData.createRequest : undefined;
  if (isObject(known) && known.requestId === change.request.requestId) return;
  event.fields.conferenceData = { createRequest: change.request };
  event.conferencePending = true;
}

/**
 * Builds the conference of a response. Conferences are created in the background, so the first response has the status
 * `pending`.
 */
export function presentConference(event: EventRecord): { hangoutLink?: string; conferenceData?: Fields } {
  const { conferenceData } = event.fields;
  if (!isObject(conferenceData) || !isObject(conferenceData.createRequest))
    return isObject(conferenceData) ? { conferenceData } : {};
  const request = conferenceData.createRequest;
  if (event.conferencePending)
    return { conferenceData: { createRequest: { ...request, status: { statusCode: 'pending' } } } };
  const code = meetingCode(`${event.id} ${request.requestId}`);
  const uri = `https://meet.google.com/${code}`;
  return {
    hangoutLink: uri,
    conferenceData: {
      createRequest: { ...request, status: { statusCode: 'success' } },
      entryPoints: [{ entryPointType: 'video', uri, label: `meet.google.com/${code}` }],
      conferenceSolution: {
        key: request.conferenceSolutionKey,
        name: 'Google Meet',
        iconUri:
          'https://fonts.gstatic.com/s/i/productlogos/meet_2020q4/v6/web-512dp/logo_meet_2020q4_color_2x_web_512dp.png',
      },
      conferenceId: code,
    },
  };
}

function meetingCode(seed: string): string {
  const letters = [...createHash('sha256').update(seed).digest()]
    .map((byte) => String.fromCharCode(97 + (byte % 26)))
    .join('');
  return `${letters.slice(0, 3)}-${letters.slice(3, 7)}-${letters.slice(7, 10)}`;
}
