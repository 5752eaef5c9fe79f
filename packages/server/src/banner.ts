export interface OperatorSignIn {
  readonly name: string;
  readonly password: string;
  /** Whether whoever started the service chose the password. */
  readonly isGiven: boolean;
}

export interface Started {
  readonly environmentUrl: string;
  readonly clientId: string;
  /** Only when it was made at this start. */
  readonly clientSecret: string | undefined;
  /** Only when it was made at this start. */
  readonly operator?: OperatorSignIn | undefined;
  readonly sandbox?: { readonly url: string; readonly connections: readonly string[] } | undefined;
}

const SECRET_WAS_SHOWN =
  'The client secret was shown at the first start. Without it, set SVC_DATA to a new folder and start again.';

const describeOperator = ({ name, password, isGiven }: OperatorSignIn): string =>
  `Operator: ${name}, with the password ${isGiven ? 'of SVC_FIRST_OPERATOR_PASSWORD' : `${password} (not shown again)`}`;

/** What the operator sees when the service is up. */
export function banner({ environmentUrl, clientId, clientSecret, operator, sandbox }: Started): string {
  const settings = [
    `SVC_ENVIRONMENT_URL=${environmentUrl}`,
    `SVC_CLIENT_ID=${clientId}`,
    ...(clientSecret === undefined ? [] : [`SVC_CLIENT_SECRET=${clientSecret}`]),
  ];
  const once =
    clientSecret === undefined ? SECRET_WAS_SHOWN : 'Keep the client secret: it is not shown again.';
  const upstreams = sandbox && [
    `Emulated upstreams: ${sandbox.url}, with a connection to each: ${sandbox.connections.join(', ')}`,
  ];
  return `
The agent connector service is ready on ${environmentUrl}

Settings of your application:

  ${settings.join('\n  ')}

${[once, ...(operator ? [describeOperator(operator)] : []), ...(upstreams ?? []), `Operations: ${environmentUrl}/openapi.json`].join('\n')}
`;
}
