import { useState } from 'preact/hooks';
import { isOwner, session, titleOf } from '../../api/session.ts';
import { Show, useCall } from '../../parts/loaded.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { WholeTable } from '../../parts/whole-table.tsx';
import { AddOperator, LinkDialog, type Operator, OperatorActions, type SignInLink } from './actions.tsx';

const COLUMNS: readonly Column<Operator>[] = [
  {
    title: 'Name',
    value: ({ name }) => name,
    cell: ({ name }) => (
      <>
        {name} {name === session.value?.name && <span class="tag">you</span>}
      </>
    ),
  },
  { title: 'Role', value: ({ role }) => titleOf(role), cell: ({ role }) => titleOf(role) },
  {
    title: 'Last sign-in',
    value: ({ signedInAt }) => signedInAt,
    cell: ({ signedInAt }) => (signedInAt ? <Time at={signedInAt} /> : 'Never'),
  },
  { title: 'Added', value: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export function Operators() {
  const loaded = useCall('GET /operator/v1/operators', {});
  const [link, setLink] = useState<SignInLink>();
  const actions: Column<Operator> = {
    title: 'Actions',
    cell: (operator) => <OperatorActions operator={operator} onChange={loaded.reload} onLink={setLink} />,
  };
  const show = (created: SignInLink) => {
    setLink(created);
    loaded.reload();
  };
  return (
    <Page
      title="Operators"
      about="People who can sign in to this dashboard, with their roles."
      actions={isOwner() && <AddOperator onLink={show} />}
    >
      {!isOwner() && (
        <Notice>
          You have read-only access to operators. Ask an owner to add, change or delete operators.
        </Notice>
      )}
      <Show of={loaded}>
        {({ items }) => (
          <WholeTable
            caption="Operators"
            csvName="operators"
            columns={isOwner() ? [...COLUMNS, actions] : COLUMNS}
            rows={items}
            keyOf={({ name }) => name}
          />
        )}
      </Show>
      {link && <LinkDialog created={link} onClose={() => setLink(undefined)} />}
    </Page>
  );
}
