import { closed, named } from '../../listener/list-schema.js';
import { OPERATOR_ROLES } from '../../operators/operator-role.js';

const text = { type: 'string' };

export const role = { ...text, enum: OPERATOR_ROLES };
export const SESSION_TAGS = ['session'];

/** Schema of the response to every sign-in method. */
export const session = named(
  'Session',
  closed({
    name: { ...text, examples: ['ada'] },
    role,
    signedInBy: { ...text, enum: ['password', 'link', 'passkey'] },
    csrfToken: {
      ...text,
      description: 'CSRF token of the session. Send this token in the header svc-csrf with every change.',
      examples: ['m3Kq'],
    },
    expiresAt: {
      ...text,
      description: 'When the session expires. A session also expires after 30 minutes without use.',
    },
  }),
);
