import { invalidField } from '../../../errors.js';

/**
 * Decodes a tool input that contains a file in Base64. Throws for invalid Base64, because Node.js silently skips
 * invalid characters.
 */
export function decodeFile(field: string, content: string, mostBytes: number): Buffer {
  const bytes = Buffer.from(content, 'base64');
  if (bytes.toString('base64') !== content)
    throw invalidField(
      field,
      'base64',
      'must be a file in standard Base64, with padding and without line breaks',
    );
  if (bytes.length > mostBytes)
    throw invalidField(field, 'maxBytes', `must have at most ${mostBytes} bytes when decoded`);
  return bytes;
}
