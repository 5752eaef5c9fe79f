// Operations that the service does not describe yet. Each goes when the generated file has it.
declare module '../generated/operations.ts' {
  interface Operations {
    'POST /operator/v1/applications/{applicationId}/connections/{connectionName}/check': {
      given: { path: { applicationId: string; connectionName: string } };
      answer: {
        isWorking: boolean;
        steps: {
          name: 'base_url' | 'discovery' | 'token_endpoint' | 'client' | 'deadline';
          result: 'passed' | 'failed' | 'skipped';
          message: string;
        }[];
      };
    };
  }
}

export type {};
