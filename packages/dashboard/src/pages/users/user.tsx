import { useRoute } from 'preact-iso';
import type { ResponseOf } from '../../api/call.ts';
import { applications } from '../../application-choice.tsx';
import { LIVE_MS, useCall, useLoaded, useRefresh } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Badge, ExpiryBadge } from '../../parts/state.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { approvalWords } from '../../words/approvals.ts';
import { timesInWords } from '../../words/times.ts';
import { accountColumns, loadAccountRows } from '../accounts/account-columns.tsx';
import { limitsInWords } from '../application/limits-in-words.ts';
import { auditColumns } from '../audit/audit-columns.tsx';
import { RecentExecutions } from '../executions/recent-executions.tsx';
import { Records } from './records.tsx';

interface UserProps {
  readonly applicationId: string;
  readonly identifier: string;
}

const NEWEST = { pageSize: 8 } as const;
const MOST_ACCOUNTS = 50;

export function UserPage() {
  const { applicationId = '', identifier = '' } = useRoute().params;
  const user = { applicationId, identifier };
  return (
    <Page
      title={identifier || 'User'}
      about="Everything that this service has recorded about one user of the application."
      trail={[{ title: 'Connected accounts', href: hrefOf(PATHS.accounts, { applicationId }) }]}
    >
      <Accounts {...user} />
      <section class="panel" aria-labelledby="calls">
        <h2 id="calls">Recent calls</h2>
        <RecentExecutions applicationId={applicationId} of={{ identifier }} owner="this user" />
      </section>
      <Events {...user} result="refused" />
      <Grants {...user} />
      <Tokens {...user} kind="agent" title="Agent tokens" />
      <Tokens {...user} kind="account" title="Browser tokens" />
      <Approvals {...user} />
      <Events {...user} />
    </Page>
  );
}

function Accounts({ applicationId, identifier }: UserProps) {
  const query = { identifier, exact: true, pageSize: MOST_ACCOUNTS };
  const loaded = useLoaded(JSON.stringify([applicationId, identifier]), (signal) =>
    loadAccountRows({ path: { applicationId }, query }, signal),
  );
  useRefresh(loaded, LIVE_MS);
  return (
    <Records
      id="accounts"
      title="Connected accounts"
      loaded={loaded}
      columns={accountColumns(applicationId)}
      keyOf={({ account }) => account.id}
      none="This user has no connected account. The audit log still contains the events of deleted accounts."
      href={withQuery(hrefOf(PATHS.accounts, { applicationId }), { identifier, exact: 'true' })}
      all="All accounts of this user"
    />
  );
}

interface EventsProps extends UserProps {
  /**
   * If present, only audit events with the result `refused` are listed, such as failed attempts to connect an account.
   */
  readonly result?: 'refused';
}

function Events({ applicationId, identifier, result }: EventsProps) {
  const filter = { applicationId, identifier, ...(result && { result }) };
  const loaded = useCall('GET /operator/v1/audit-events', { query: { ...filter, ...NEWEST } });
  const names = new Map((applications.value ?? []).map(({ id, name }) => [id, name]));
  return (
    <Records
      id={result ? 'attempts' : 'events'}
      title={result ? 'Failed attempts' : 'Audit events'}
      loaded={loaded}
      columns={auditColumns(names, { hasUser: false })}
      keyOf={({ id }) => id}
      none={result ? 'No failed attempt to connect an account.' : 'No audit events for this user.'}
      href={withQuery(PATHS.audit, filter)}
      all={
        result ? 'All failed attempts by this user to connect an account' : 'All audit events of this user'
      }
    />
  );
}

type Grant = ResponseOf<'GET /operator/v1/applications/{applicationId}/agent-grants'>['items'][number];

const GRANT_COLUMNS: readonly Column<Grant>[] = [
  { title: 'Client', cell: ({ clientName }) => <span class="long">{clientName}</span> },
  { title: 'Status', cell: ExpiryBadge },
  { title: 'Granted on', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { title: 'Last token issued', cell: ({ usedAt }) => <Time at={usedAt} /> },
];

function Grants({ applicationId, identifier }: UserProps) {
  const loaded = useCall('GET /operator/v1/applications/{applicationId}/agent-grants', {
    path: { applicationId },
    query: { identifier, ...NEWEST },
  });
  return (
    <Records
      id="grants"
      title="Access granted to MCP clients"
      loaded={loaded}
      columns={GRANT_COLUMNS}
      keyOf={({ id }) => id}
      none="This user has not granted access to any client."
      href={withQuery(hrefOf(PATHS.agents, { applicationId }), { identifier })}
      all="All access that this user granted"
    />
  );
}

type Token = ResponseOf<'GET /operator/v1/applications/{applicationId}/agent-tokens'>['items'][number];

const TOKEN_COLUMNS: readonly Column<Token>[] = [
  { title: 'Token', cell: ({ id }) => <code>{id}</code> },
  { title: 'Limits', cell: ({ limits }) => limitsInWords(limits) },
  { title: 'Status', cell: ExpiryBadge },
  { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

interface TokensProps extends UserProps {
  readonly kind: 'agent' | 'account';
  readonly title: string;
}

function Tokens({ applicationId, identifier, kind, title }: TokensProps) {
  const loaded = useCall(`GET /operator/v1/applications/{applicationId}/${kind}-tokens`, {
    path: { applicationId },
    query: { identifier, ...NEWEST },
  });
  return (
    <Records
      id={`${kind}-tokens`}
      title={title}
      loaded={loaded}
      columns={TOKEN_COLUMNS}
      keyOf={({ id }) => id}
      none={`No ${title.toLowerCase()} for this user.`}
      href={withQuery(hrefOf(PATHS.application, { applicationId }), { identifier })}
      all={`All ${title.toLowerCase()} of this user`}
    />
  );
}

type Approval = ResponseOf<'GET /operator/v1/applications/{applicationId}/approvals'>['items'][number];

const approvalColumns = (applicationId: string): readonly Column<Approval>[] => [
  {
    title: 'Call',
    cell: ({ id, sentence }) => (
      <a href={hrefOf(PATHS.approval, { applicationId, approvalId: id })}>{timesInWords(sentence)}</a>
    ),
  },
  {
    title: 'Status',
    cell: ({ status }) => <Badge tone={approvalWords(status).tone}>{approvalWords(status).title}</Badge>,
  },
  { title: 'Requested at', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

function Approvals({ applicationId, identifier }: UserProps) {
  const loaded = useCall('GET /operator/v1/applications/{applicationId}/approvals', {
    path: { applicationId },
    query: { identifier, ...NEWEST },
  });
  useRefresh(loaded, LIVE_MS);
  return (
    <Records
      id="approvals"
      title="Approvals"
      loaded={loaded}
      columns={approvalColumns(applicationId)}
      keyOf={({ id }) => id}
      none="No call for this user needed approval."
      href={withQuery(hrefOf(PATHS.approvals, { applicationId }), { identifier })}
      all="All approvals of this user"
    />
  );
}
