import { ApiError, parameter } from '../../google/api-error.js';
import type { Fault } from '../../google/parameter-rules.js';

export function refuse(code: number, reason: string, message: string): ApiError {
  return new ApiError(code, reason, message, { domain: code === 404 ? 'youtube.common' : 'youtube.api' });
}

const aboutParameter = (reason: string, message: string, location: string): ApiError =>
  new ApiError(400, reason, message, { domain: 'youtube.parameter', at: parameter(location) });

export const missingParameter = (name: string): ApiError =>
  aboutParameter('missingRequiredParameter', `Missing required parameter: ${name}`, name);

const REASONS: Readonly<Record<Fault['kind'], string>> = {
  missing: 'missingRequiredParameter',
  unknown: 'unexpectedParameter',
  value: 'invalidParameter',
  moment: 'invalidParameter',
};

const OF_VIDEOS: Readonly<Record<string, string>> = { chart: 'videoChartNotFound', rating: 'invalidRating' };

export function faulty({ kind, name, message }: Fault): ApiError {
  const own = kind === 'value' ? OF_VIDEOS[name] : undefined;
  if (own === undefined) return aboutParameter(REASONS[kind], message, name);
  return new ApiError(400, own, message, { domain: 'youtube.video', at: parameter(name) });
}

export const invalidParameter = (name: string, message: string): ApiError =>
  aboutParameter('invalidParameter', message, name);

export const incompatibleParameters = (names: readonly string[]): ApiError =>
  aboutParameter(
    'incompatibleParameters',
    `Incompatible parameters specified in the request: ${names.join(', ')}`,
    names.join(', '),
  );

export const noFilter = (names: readonly string[]): ApiError =>
  new ApiError(400, 'missingRequiredParameter', `No filter selected. Expected one of: ${names.join(', ')}`, {
    domain: 'youtube.parameter',
    at: { location: 'parameters.', locationType: 'other' },
  });

export const invalidPageToken = (): ApiError =>
  aboutParameter('invalidPageToken', 'The request specifies an invalid page token.', 'pageToken');

export const aboutPart = (reason: 'unknownPart' | 'unexpectedPart', part: string): ApiError =>
  new ApiError(400, reason, `'${part}'`, { domain: 'youtube.part', at: parameter('part') });

export const forbidden = (message = 'Forbidden'): ApiError => refuse(403, 'forbidden', message);

export const quotaExceeded = (): ApiError =>
  new ApiError(
    403,
    'quotaExceeded',
    'The request cannot be completed because you have exceeded your <a href="/youtube/v3/getting-started#quota">quota</a>.',
    { domain: 'youtube.quota' },
  );
