import type { ListedConnection } from '../../api/connections.ts';
import { RadioField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { hrefOf, PATHS } from '../../paths.ts';

const UPSTREAMS = [
  { value: 'real', title: 'Real service', description: 'calls use the data of your users' },
  { value: 'sandbox', title: 'Sandbox', description: 'calls use emulated data, without a registration' },
] as const;

export type Upstream = (typeof UPSTREAMS)[number]['value'];

interface UpstreamFieldProps {
  readonly applicationId: string;
  /** Connection of the same connector to the sandbox. `undefined` if the sandbox does not run. */
  readonly sandboxed: ListedConnection | undefined;
  readonly upstream: Upstream;
  readonly onUpstream: (upstream: Upstream) => void;
}

/** Chooses between the real upstream and the sandbox. */
export function UpstreamField({ applicationId, sandboxed, upstream, onUpstream }: UpstreamFieldProps) {
  if (sandboxed === undefined) return null;
  if (sandboxed.authType !== 'oauth2')
    return (
      <RadioField
        label="Upstream"
        name="upstream"
        choices={UPSTREAMS}
        value={upstream}
        onValue={onUpstream}
      />
    );
  const { connectionName } = sandboxed;
  return (
    <Notice>
      The new connection uses the real service. To use the sandbox, open the connection{' '}
      <a href={hrefOf(PATHS.connection, { applicationId, connectionName })}>{connectionName}</a>.
    </Notice>
  );
}

/** Returns the settings that send calls to the upstream of the other connection. */
export const addressOf = ({ baseUrl, hosts }: ListedConnection) => ({
  region: '',
  baseUrl: baseUrl ?? '',
  hosts,
});
