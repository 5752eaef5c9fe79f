import { invalidField } from '../../../errors.js';

const MAX_DESCRIPTION_BYTES = 5000;
const MAX_TAG_CHARACTERS = 500;

interface VideoTexts {
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

/**
 * Refuses a description with too many bytes, and tags with too many characters in total. JSON Schema cannot express
 * these limits.
 */
export function refuseTooLong({ description = '', tags = [] }: VideoTexts): void {
  if (Buffer.byteLength(description) > MAX_DESCRIPTION_BYTES) {
    throw invalidField(
      'description',
      'maxBytes',
      `must have at most ${MAX_DESCRIPTION_BYTES} bytes in UTF-8`,
    );
  }
  if ([...tags.join('')].length > MAX_TAG_CHARACTERS) {
    throw invalidField('tags', 'maxTotalLength', `must have at most ${MAX_TAG_CHARACTERS} characters in all`);
  }
}
