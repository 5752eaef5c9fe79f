interface Client {
  readonly environmentUrl: string;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
}

/**
 * Builds the environment variables that the client of `@svc/core` reads.
 */
export const environmentLines = ({ environmentUrl, clientId, clientSecret }: Client): string =>
  [
    `SVC_ENVIRONMENT_URL=${environmentUrl}`,
    `SVC_CLIENT_ID=${clientId}`,
    `SVC_CLIENT_SECRET=${clientSecret ?? '…'}`,
  ].join('\n');
