import { isObject } from '../../json.js';
import { nullable, object, type Shape, should, tagged, text, uuid } from './shape.js';

const external = object({ url: text({ min: 1, max: 2000 }) }, ['url']);

const uploaded = object({ id: uuid }, ['id']);

const EMOJI_PARTS = /^[\p{Extended_Pictographic}\p{Emoji_Component}]{1,24}$/u;
// Digits are components of emojis such as keycaps, but a digit alone is not an emoji.
const EMOJI_BASE = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u;
const emoji: Shape = (value, path) =>
  typeof value === 'string' && EMOJI_PARTS.test(value) && EMOJI_BASE.test(value)
    ? []
    : should(path, 'an emoji', value);

export const iconShape: Shape = nullable(
  tagged({
    emoji,
    external,
    file_upload: uploaded,
    custom_emoji: object({ id: uuid, name: text(), url: text() }, ['id']),
    icon: object({ name: text({ min: 1 }), color: text() }, ['name']),
  }),
);
export const coverShape: Shape = nullable(tagged({ external, file_upload: uploaded }));

export function withType(value: unknown): Record<string, unknown> | null {
  if (!isObject(value)) return null;
  if (isObject(value.file_upload)) return { type: 'file', file: storedFile(value.file_upload) };
  const type = ['emoji', 'external', 'file', 'custom_emoji', 'icon'].find((key) => value[key] !== undefined);
  return type === undefined ? null : { type, [type]: value[type] };
}

/** Presents an uploaded file with a URL of the service's own storage. */
export const storedFile = ({ id }: Readonly<Record<string, unknown>>) => ({
  url: `https://prod-files-secure.s3.us-west-2.amazonaws.com/${id}`,
  expiry_time: '2030-01-01T00:00:00.000Z',
});
