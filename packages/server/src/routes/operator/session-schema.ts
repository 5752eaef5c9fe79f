import { OPERATOR_ROLES } from '../../operators/operator-role.js';
import { closed } from '../list-schema.js';

const text = { type: 'string' };

export const role = { ...text, enum: OPERATOR_ROLES };
export const SESSION_TAGS = ['session'];

/** Schema of the response to every sign-in method. */
export const session = closed({
  name: text,
  role,
  signedInBy: { ...text, enum: ['password', 'link', 'passkey'] },
  csrfToken: { ...text, description: 'Send it in the header svc-csrf with every change.' },
  expiresAt: {
    ...text,
    description: 'When the session expires. It also expires after 30 minutes without use.',
  },
});
