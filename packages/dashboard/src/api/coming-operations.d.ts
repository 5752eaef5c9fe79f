// Operations that the service does not describe yet. Each goes when the generated file has it.
export {};

declare module '../generated/operations.ts' {
  interface Operations {
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
