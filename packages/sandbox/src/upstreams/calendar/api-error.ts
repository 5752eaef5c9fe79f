import { ApiError, parameter } from '../../google/api-error.js';
import type { Fault } from '../../google/parameter-rules.js';

export const invalid = (message: string): ApiError => new ApiError(400, 'invalid', message);
export const required = (message: string): ApiError => new ApiError(400, 'required', message);
export const duplicate = (): ApiError =>
  new ApiError(409, 'duplicate', 'The requested identifier already exists.');

export const invalidParameter = (name: string, message: string): ApiError =>
  new ApiError(400, 'invalid', message, { at: parameter(name) });

const REASONS: Readonly<Record<Fault['kind'], string>> = {
  missing: 'required',
  unknown: 'invalid',
  value: 'invalid',
  moment: 'badRequest',
};

export const faulty = ({ kind, name, message }: Fault): ApiError =>
  new ApiError(400, REASONS[kind], message, { at: parameter(name) });

export const timeRangeEmpty = (): ApiError =>
  new ApiError(400, 'timeRangeEmpty', 'The specified time range is empty.', {
    domain: 'calendar',
    at: parameter('timeMax'),
  });

export const fullSyncRequired = (): ApiError =>
  new ApiError(410, 'fullSyncRequired', 'Sync token is no longer valid, a full sync is required.', {
    domain: 'calendar',
    at: parameter('syncToken'),
  });

export const updatedMinTooLongAgo = (): ApiError =>
  new ApiError(
    410,
    'updatedMinTooLongAgo',
    'The requested minimum modification time lies too far in the past.',
    {
      domain: 'calendar',
      at: parameter('updatedMin'),
    },
  );

export const remindersTwice = (): ApiError =>
  new ApiError(
    400,
    'cannotUseDefaultRemindersAndSpecifyOverride',
    'Cannot specify both default reminders and overrides at the same time.',
    { domain: 'calendar' },
  );

export const forbiddenForNonOrganizer = (): ApiError =>
  new ApiError(
    403,
    'forbiddenForNonOrganizer',
    'Shared properties can only be changed by the organizer of the event.',
    {
      domain: 'calendar',
    },
  );

export const writerNeeded = (): ApiError =>
  new ApiError(403, 'requiredAccessLevel', 'You need to have writer access to this calendar.', {
    domain: 'calendar',
  });
