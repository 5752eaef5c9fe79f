import { restoreInput } from './forms.js';
import type { Dialect } from './limits.js';

/** The tool's own input of what a model gave in a dialect. */
export const restoreArguments = (input: unknown, dialect: Dialect | 'wire'): unknown =>
  dialect === 'wire' || dialect === 'gemini'
    ? input
    : restoreInput(input, { nullIsAbsent: dialect === 'openai-strict' });
