/** As the service bounds the data URL. */
export const MOST_LOGO_BYTES = 32 * 1024;
const TYPES = ['image/png', 'image/svg+xml'];

const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

/** The data URL of a picture. Throws a sentence that says what is wrong with it. */
export async function readLogo(file: Blob): Promise<string> {
  if (!TYPES.includes(file.type)) throw new Error('The logo is a PNG or an SVG; this file is neither.');
  const dataUrl = `data:${file.type};base64,${toBase64(new Uint8Array(await file.arrayBuffer()))}`;
  if (dataUrl.length <= MOST_LOGO_BYTES) return dataUrl;
  const kibibytes = Math.ceil(dataUrl.length / 1024);
  throw new Error(`This picture takes ${kibibytes} KiB as text, and 32 is the most; make it smaller.`);
}
