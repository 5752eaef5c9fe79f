import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { call } from '../../api/call.ts';
import { mayChange } from '../../api/session.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Show, useLoaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { StatePanel } from '../../parts/state.tsx';
import { Moment, Time } from '../../parts/time.tsx';
import { say } from '../../parts/toast.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import '../../styles/playground.css';
import { type Approval, approvalWords, callerWords } from '../../words/approvals.ts';
import { JsonTree } from '../tools/json-tree.tsx';

interface Shown {
  readonly applicationId: string;
  readonly approval: Approval;
}

type Decision = 'approve' | 'deny';

const DECISIONS: Readonly<
  Record<Decision, { readonly action: string; readonly done: string; readonly means: string }>
> = {
  approve: {
    action: 'Agree',
    done: 'Agreed: it happens when whoever asked asks again.',
    means: 'It happens once, exactly as it stands here, when whoever asked asks again within half an hour.',
  },
  deny: {
    action: 'Refuse',
    done: 'Refused.',
    means: 'It does not happen. Whoever asked gets to read your reason, a model too.',
  },
};

interface DecideProps extends Shown {
  readonly decision: Decision;
  readonly onDone: () => void;
}

function Decide({ applicationId, approval, decision, onDone }: DecideProps) {
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const { action, done, means } = DECISIONS[decision];
  const close = () => setOpen(false);
  const send = async () => {
    await call('POST /operator/v1/applications/{applicationId}/approvals/{approvalId}', {
      path: { applicationId, approvalId: approval.id },
      body: { decision, ...(reason.trim() !== '' && { reason: reason.trim() }) },
    });
    close();
    say(done);
    onDone();
  };
  return (
    <>
      <button
        type="button"
        class={decision === 'approve' ? 'primary' : undefined}
        onClick={() => setOpen(true)}
      >
        {action}…
      </button>
      {isOpen && (
        <Dialog title={`${action}?`} onClose={close}>
          <p>
            <strong>{approval.sentence}</strong>
          </p>
          <p>{means}</p>
          <Form submit={action} onCancel={close} onSubmit={send}>
            <TextField label="Reason (not needed)" value={reason} onValue={setReason} />
          </Form>
        </Dialog>
      )}
    </>
  );
}

const Facts = ({ applicationId, approval }: Shown) => (
  <section class="panel" aria-labelledby="facts">
    <h2 id="facts">Facts</h2>
    <dl class="facts">
      <dt>For</dt>
      <dd>
        <a href={hrefOf(PATHS.account, { applicationId, accountId: approval.accountId })}>
          {approval.identifier}
        </a>{' '}
        at {approval.connectionName}
      </dd>
      <dt>Tool</dt>
      <dd>
        <a href={hrefOf(PATHS.tool, { applicationId, toolName: approval.toolName })}>{approval.toolName}</a>
      </dd>
      <dt>Who asks</dt>
      <dd>{callerWords(approval.requestedBy)}</dd>
      <dt>Asked</dt>
      <dd>
        <Moment at={approval.createdAt} />
      </dd>
      <dt>{approval.status === 'pending' ? 'Can be decided until' : 'Holds until'}</dt>
      <dd>
        <Moment at={approval.expiresAt} /> (<Time at={approval.expiresAt} />)
      </dd>
      {approval.decidedBy !== undefined && (
        <>
          <dt>Decided by</dt>
          <dd>{callerWords(approval.decidedBy)}</dd>
        </>
      )}
      {approval.reason !== undefined && (
        <>
          <dt>Reason</dt>
          <dd>{approval.reason}</dd>
        </>
      )}
      {approval.executionId !== undefined && (
        <>
          <dt>Execution</dt>
          <dd>
            <a href={hrefOf(PATHS.execution, { applicationId, executionId: approval.executionId })}>
              How it went
            </a>
          </dd>
        </>
      )}
    </dl>
  </section>
);

/** One call that a person is asked about: what, for whom, who asks, and until when. */
export function ApprovalPage() {
  const { applicationId = '', approvalId = '' } = useRoute().params;
  const loaded = useLoaded(approvalId, (signal) =>
    call(
      'GET /operator/v1/applications/{applicationId}/approvals/{approvalId}',
      { path: { applicationId, approvalId } },
      { signal },
    ),
  );
  return (
    <Page
      title="One approval"
      about={loaded.value?.sentence}
      trail={[{ title: 'Approvals', href: hrefOf(PATHS.approvals, { applicationId }) }]}
    >
      <Show of={loaded}>
        {(approval) => (
          <>
            <StatePanel words={approvalWords(approval.status)}>
              {approval.status === 'pending' && mayChange() && (
                <div class="actions">
                  {(['approve', 'deny'] as const).map((decision) => (
                    <Decide
                      key={decision}
                      applicationId={applicationId}
                      approval={approval}
                      decision={decision}
                      onDone={loaded.reload}
                    />
                  ))}
                </div>
              )}
            </StatePanel>
            <section class="panel" aria-labelledby="input">
              <h2 id="input">Everything that it is given</h2>
              <div class="tree">
                <JsonTree value={approval.toolInput} />
              </div>
            </section>
            <Facts applicationId={applicationId} approval={approval} />
          </>
        )}
      </Show>
    </Page>
  );
}
