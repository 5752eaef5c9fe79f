import { limitsInWords } from '../application/limits-in-words.ts';
import type { Access } from './access.ts';

/** What every client is held to. */
export const Limits = ({ limits }: Pick<Access, 'limits'>) => (
  <p class="soft">
    Limits that hold whatever a user agrees to: <strong>{limitsInWords(limits)}</strong>. Your application
    sets them by <code>PUT /v1/agent-access</code>; saving here leaves them as they are.
  </p>
);
