import type { Rules } from '../../google/parameter-rules.js';

/** Larger pages than there are may be asked for. */
export const PAGED: Rules = { maxResults: { min: 1 }, pageToken: 'text' };
export const SYNCED: Rules = { ...PAGED, syncToken: 'text' };
export const NOTIFYING: Rules = {
  sendNotifications: 'flag',
  sendUpdates: { words: ['all', 'externalOnly', 'none'] },
};

const ATTENDEES: Rules = { maxAttendees: { min: 1 } };
const EMAIL: Rules = { alwaysIncludeEmail: 'flag' };
export const SHOWING: Rules = { ...ATTENDEES, ...EMAIL, timeZone: 'text' };

const VERSIONS: Rules = { conferenceDataVersion: { min: 0, max: 1 }, eventLabelVersion: { min: 0, max: 1 } };
export const IMPORTING: Rules = { ...VERSIONS, supportsAttachments: 'flag' };
export const INSERTING: Rules = { ...IMPORTING, ...NOTIFYING, ...ATTENDEES };
export const CHANGING: Rules = { ...INSERTING, ...EMAIL };
