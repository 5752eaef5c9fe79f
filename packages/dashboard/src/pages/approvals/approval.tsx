import { useRoute } from 'preact-iso';
import { call } from '../../api/call.ts';
import { mayChange } from '../../api/session.ts';
import { DialogButton } from '../../parts/dialog.tsx';
import { Fact } from '../../parts/fact.tsx';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { LIVE_MS, Show, useCall, useRefresh } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { StatePanel } from '../../parts/state.tsx';
import { ExactTime, Time } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useDraft } from '../../parts/use-draft.ts';
import { hrefOf, PATHS } from '../../paths.ts';
import '../../styles/playground.css';
import { type Approval, approvalWords, callerWords, isFinal } from '../../words/approvals.ts';
import { timesInWords } from '../../words/times.ts';
import { userOf } from '../../words/user-of.ts';
import { JsonTree } from '../tools/json-tree.tsx';

interface ApprovalProps {
  readonly applicationId: string;
  readonly approval: Approval;
}

type Decision = 'approve' | 'deny';

const DECISIONS: Readonly<
  Record<Decision, { readonly action: string; readonly done: string; readonly effect: string }>
> = {
  approve: {
    action: 'Approve',
    done: 'Call approved. The call runs when the caller repeats it.',
    effect: 'The call runs once, exactly as shown on this page, if the caller repeats it within 30 minutes.',
  },
  deny: {
    action: 'Deny',
    done: 'Call denied.',
    effect: 'The call does not run. The caller, which may be an AI model, can read your reason.',
  },
};

interface DecideProps extends ApprovalProps {
  readonly decision: Decision;
  readonly onDone: () => void;
}

function DecisionForm(props: DecideProps & { readonly onClose: () => void }) {
  const { applicationId, approval, decision, onDone, onClose } = props;
  const draft = useDraft({ form: decision, initial: { reason: '' } });
  const { reason } = draft.value;
  const { action, done, effect } = DECISIONS[decision];
  const send = async () => {
    await call('POST /operator/v1/applications/{applicationId}/approvals/{approvalId}', {
      path: { applicationId, approvalId: approval.id },
      body: { decision, ...(reason.trim() !== '' && { reason: reason.trim() }) },
    });
    draft.reset();
    onClose();
    showToast(done);
    onDone();
  };
  return (
    <>
      <p>
        <strong>{timesInWords(approval.sentence)}</strong>
      </p>
      <p>{effect}</p>
      <Form submit={action} onCancel={onClose} onSubmit={send}>
        <TextField
          label="Reason (optional)"
          value={reason}
          onValue={(next) => draft.change({ reason: next })}
        />
      </Form>
    </>
  );
}

function Decide(props: DecideProps) {
  const { action } = DECISIONS[props.decision];
  return (
    <DialogButton
      label={`${action}…`}
      class={props.decision === 'approve' ? 'primary' : undefined}
      title={`${action}?`}
    >
      {(close) => <DecisionForm {...props} onClose={close} />}
    </DialogButton>
  );
}

/** Date or time of an object. A date without a time has no time zone, so it is shown unchanged. */
const ObjectDate = ({ date }: { readonly date: string }) =>
  date.includes('T') ? <ExactTime at={date} /> : <span>{date}</span>;

const Facts = ({ applicationId, approval }: ApprovalProps) => (
  <section class="panel" aria-labelledby="facts">
    <h2 id="facts">Details</h2>
    <dl class="facts">
      <Fact title="Account">
        <a href={hrefOf(PATHS.account, { applicationId, accountId: approval.accountId })}>
          {userOf(approval)}
        </a>{' '}
        on {approval.connectionName}
      </Fact>
      <Fact title="Tool">
        <a href={hrefOf(PATHS.tool, { applicationId, toolName: approval.toolName })}>{approval.toolName}</a>
      </Fact>
      {approval.object && (
        <Fact title="Affected object">
          <bdi>{approval.object.title}</bdi>
          {approval.object.date !== undefined && (
            <>
              , <ObjectDate date={approval.object.date} />
            </>
          )}
        </Fact>
      )}
      <Fact title="Requested by">{callerWords(approval.requestedBy)}</Fact>
      <Fact title="Requested at">
        <ExactTime at={approval.createdAt} />
      </Fact>
      {(approval.status === 'pending' || approval.status === 'approved') && (
        <Fact title={approval.status === 'pending' ? 'Decide before' : 'Valid until'}>
          <ExactTime at={approval.expiresAt} /> (<Time at={approval.expiresAt} />)
        </Fact>
      )}
      {approval.decidedBy !== undefined && <Fact title="Decided by">{callerWords(approval.decidedBy)}</Fact>}
      {approval.decidedAt !== undefined && (
        <Fact title="Decided at">
          <ExactTime at={approval.decidedAt} />
        </Fact>
      )}
      {approval.reason !== undefined && <Fact title="Reason for the decision">{approval.reason}</Fact>}
      {approval.executionId !== undefined && (
        <Fact title="Execution">
          <a href={hrefOf(PATHS.execution, { applicationId, executionId: approval.executionId })}>
            Show execution
          </a>
        </Fact>
      )}
    </dl>
  </section>
);

export function ApprovalPage() {
  const { applicationId = '', approvalId = '' } = useRoute().params;
  const loaded = useCall('GET /operator/v1/applications/{applicationId}/approvals/{approvalId}', {
    path: { applicationId, approvalId },
  });
  useRefresh(loaded, loaded.value && isFinal(loaded.value) ? undefined : LIVE_MS);
  return (
    <Page
      title="Approval"
      about={loaded.value && timesInWords(loaded.value.sentence)}
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
              <h2 id="input">Complete input of the call</h2>
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
