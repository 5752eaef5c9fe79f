import { ServiceError } from '../errors.js';
import { isSvgImage } from './svg-image.js';

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const MAX_CHARACTERS = 32 * 1024;
const DATA_URL = /^data:image\/(png|svg\+xml);base64,/;

const isPng = (bytes: Buffer): boolean => bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE);

/** Decodes the UTF-8 text of an SVG document. Returns `undefined` for invalid UTF-8. */
function readText(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function problemOf(url: string): string | undefined {
  if (url.length > MAX_CHARACTERS) return `has more than ${MAX_CHARACTERS} characters as a data URL`;
  const [prefix, type] = DATA_URL.exec(url) ?? [];
  if (prefix === undefined) return 'is not a data URL of a PNG or SVG image in base64';
  const bytes = Buffer.from(url.slice(prefix.length), 'base64');
  // `Buffer.from` skips invalid base64 characters. Encoding the bytes again and comparing reveals them.
  if (`${prefix}${bytes.toString('base64')}` !== url) return 'is not valid base64';
  if (type === 'png') return isPng(bytes) ? undefined : 'is not a PNG image';
  return isSvgImage(readText(bytes) ?? '')
    ? undefined
    : 'is not a valid SVG document: it needs a root <svg> with xmlns="http://www.w3.org/2000/svg", closed tags, and no document type';
}

/** Returns the logo's data URL unchanged. Throws invalid_request if it is not a valid PNG or SVG image. */
export function checkLogo(url: string): string {
  const problem = problemOf(url);
  if (problem === undefined) return url;
  throw new ServiceError(
    'invalid_request',
    `The logo ${problem}. Send a PNG or SVG image of at most 24 kB, as data:image/png;base64,… or data:image/svg+xml;base64,….`,
  );
}

/** Returns the bytes of an image file as a data URL. Throws invalid_request if the file cannot be a logo. */
export const toLogo = (bytes: Buffer): string =>
  checkLogo(`data:image/${isPng(bytes) ? 'png' : 'svg+xml'};base64,${bytes.toString('base64')}`);
