// Operations that the service does not describe yet. Each goes when the generated file has it.
import type { Session } from './session.ts';

interface Passkey {
  id: string;
  name: string;
  createdAt: string;
  usedAt: string | null;
}

declare module '../generated/operations.ts' {
  interface Operations {
    'POST /operator/v1/session/passkey-options': {
      given: { body: Record<string, never> };
      answer: { options: PublicKeyCredentialRequestOptionsJSON };
    };
    'POST /operator/v1/session/passkey': { given: { body: { credential: unknown } }; answer: Session };
    'GET /operator/v1/session/passkeys': { given: Record<never, never>; answer: { items: Passkey[] } };
    'POST /operator/v1/session/passkeys/options': {
      given: { body: Record<string, never> };
      answer: { options: PublicKeyCredentialCreationOptionsJSON };
    };
    'POST /operator/v1/session/passkeys': {
      given: { body: { name: string; credential: unknown } };
      answer: Passkey;
    };
    'DELETE /operator/v1/session/passkeys/{id}': { given: { path: { id: string } }; answer: undefined };
    'GET /operator/v1/audit-events/export': {
      given: {
        query: {
          format: 'csv' | 'jsonl';
          applicationId?: string;
          action?: string;
          actor?: string;
          since?: string;
          until?: string;
        };
      };
      answer: string;
    };
    'GET /operator/v1/health': {
      given: Record<never, never>;
      answer: {
        version: string;
        startedAt: string;
        node: string;
        database: {
          kind: string;
          version: string;
          sizeBytes: number;
          migrations: { applied: string[]; pending: string[] };
        };
        rootKey: { kind: string; id: string; createdAt?: string };
        dataKeys: { count: number; oldestCreatedAt: string | null };
        sandbox: { url: string } | null;
        production: { isOn: boolean; refused: string[] };
        executions: { written: number; dropped: number; waiting: number };
        kept: { what: string; rows?: number; bytes: number; keptForDays: number | null }[];
      };
    };
  }
}
