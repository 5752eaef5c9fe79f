// Operations that the service does not describe yet. Each goes when the generated file has it.
import type { Session } from './session.ts';

declare module '../generated/operations.ts' {
  interface Operations {
    'POST /operator/v1/session/link': { given: { body: { token: string } }; answer: Session };
    'POST /operator/v1/session/passkey-options': {
      given: { body: Record<string, never> };
      answer: { options: PublicKeyCredentialRequestOptionsJSON };
    };
    'POST /operator/v1/session/passkey': { given: { body: { credential: unknown } }; answer: Session };
  }
}
