import { call } from '../../api/call.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { say } from '../../parts/toast.tsx';

interface RemoveAccessProps {
  readonly applicationId: string;
  readonly onRemoved: () => void;
}

export function RemoveAccess({ applicationId, onRemoved }: RemoveAccessProps) {
  const remove = async () => {
    await call('DELETE /operator/v1/applications/{applicationId}/agent-access', { path: { applicationId } });
    say('Nobody can sign in for MCP clients any more.');
    onRemoved();
  };
  return (
    <Confirm action="Remove" question="Let nobody sign in for MCP clients any more?" onConfirm={remove}>
      <p>
        The address stops leading to a sign-in, and clients get no new tokens: what they have ends within ten
        minutes. What is set here is deleted, an issuer’s client secret and the limits too.
      </p>
      <p>
        The clients stay, and so does what users gave them: it counts again once you say anew where users sign
        in. Revoke below what is to end for good.
      </p>
    </Confirm>
  );
}
