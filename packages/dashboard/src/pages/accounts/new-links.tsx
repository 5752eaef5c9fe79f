import { useState } from 'preact/hooks';
import { Code } from '../../parts/copy.tsx';
import { CloseButton, Dialog } from '../../parts/dialog.tsx';
import { downloadCsv } from '../../parts/download.ts';
import { Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import type { Column } from '../../parts/table.tsx';
import { csvOf } from '../../words/csv.ts';
import { takesKey } from '../../words/states.ts';
import { userOf } from '../../words/user-of.ts';
import type { AccountListRow } from './account-columns.tsx';
import { createLink } from './authorization-link.tsx';

type Account = AccountListRow['account'];

/**
 * Accounts that are selected for new authorization links, by account id. They stay selected when another page of the
 * list is shown.
 */
export type Selected = ReadonlyMap<string, Account>;

/** Maximum number of authorization links that the page creates at once. */
const MOST = 200;

/**
 * Returns true if the account has no access to the upstream, and its user can give access again through an
 * authorization link.
 */
const needsLink = ({ account: { status }, connector }: AccountListRow): boolean =>
  (status === 'reauthorization_required' || status === 'unauthorized') &&
  connector !== undefined &&
  !takesKey(connector.authType);

/** Table column with a checkbox for each account that needs a new authorization link. */
export const selectionColumn = (
  selected: Selected,
  select: (selected: Selected) => void,
): Column<AccountListRow> => ({
  title: 'Select',
  isControl: true,
  cell: (row) =>
    needsLink(row) && (
      <input
        type="checkbox"
        aria-label={`Select ${userOf(row.account)} on ${row.account.connectionName}`}
        checked={selected.has(row.account.id)}
        disabled={selected.size >= MOST && !selected.has(row.account.id)}
        onChange={({ currentTarget: { checked } }) => {
          const others = [...selected].filter(([id]) => id !== row.account.id);
          select(new Map(checked ? [...others, [row.account.id, row.account]] : others));
        }}
      />
    ),
});

interface NewLinksProps {
  readonly applicationId: string;
  readonly rows: readonly AccountListRow[];
  readonly selected: Selected;
  readonly select: (selected: Selected) => void;
}

/**
 * Buttons that select the accounts without access on this page, and create a new authorization link for each selected
 * account.
 */
export function NewLinks({ applicationId, rows, selected, select }: NewLinksProps) {
  const [isOpen, setOpen] = useState(false);
  const ended = rows.filter(needsLink);
  const selectAll = () => {
    const all = [...selected, ...ended.map(({ account }) => [account.id, account] as const)];
    select(new Map(all.slice(0, MOST)));
  };
  if (ended.length === 0 && selected.size === 0) return null;
  return (
    <div class="row">
      <button type="button" class="small" onClick={selectAll}>
        Select all accounts that need a link
      </button>
      {selected.size > 0 && (
        <>
          <button type="button" class="small primary" onClick={() => setOpen(true)}>
            Create links ({selected.size})
          </button>
          <button type="button" class="small" onClick={() => select(new Map())}>
            Clear selection
          </button>
        </>
      )}
      {isOpen && (
        <LinksDialog
          applicationId={applicationId}
          accounts={[...selected.values()]}
          onClose={() => {
            setOpen(false);
            select(new Map());
          }}
          onCancel={() => setOpen(false)}
        />
      )}
    </div>
  );
}

interface Created {
  readonly account: Account;
  readonly link?: string;
  readonly problem?: string;
}

async function create(applicationId: string, account: Account): Promise<Created> {
  const { connectionName, identifier, account: label } = account;
  try {
    const { link } = await createLink({ applicationId, connectionName, identifier, account: label });
    return { account, link };
  } catch (error) {
    return {
      account,
      problem: error instanceof Error ? error.message : 'The link was not created. Try again.',
    };
  }
}

interface LinksDialogProps {
  readonly applicationId: string;
  readonly accounts: readonly Account[];
  readonly onClose: () => void;
  readonly onCancel: () => void;
}

function LinksDialog({ applicationId, accounts, onClose, onCancel }: LinksDialogProps) {
  const [created, setCreated] = useState<readonly Created[]>([]);
  const [isDone, setDone] = useState(false);
  const run = async () => {
    const links: Created[] = [];
    for (const account of accounts) {
      links.push(await create(applicationId, account));
      setCreated([...links]);
    }
    setDone(true);
  };
  return (
    <Dialog
      title={`New links for ${accounts.length} ${accounts.length === 1 ? 'account' : 'accounts'}`}
      onClose={isDone ? onClose : onCancel}
      isPersistent={isDone}
    >
      {isDone ? (
        <Links created={created} onClose={onClose} />
      ) : (
        <Form submit="Create links" onSubmit={run} onCancel={onCancel}>
          <p>
            Each user opens their own link and gives consent again. A link works once and expires after 30
            minutes. The dashboard shows the links only once.
          </p>
          <p role="status" class="soft">
            {created.length > 0 && `${created.length} of ${accounts.length} links created`}
          </p>
        </Form>
      )}
    </Dialog>
  );
}

const rowsOf = (created: readonly Created[]): readonly (readonly string[])[] => [
  ['identifier', 'account', 'connection', 'link'],
  ...created.flatMap(({ account, link }) =>
    link === undefined ? [] : [[account.identifier, account.account ?? '', account.connectionName, link]],
  ),
];

function Links({ created, onClose }: { readonly created: readonly Created[]; readonly onClose: () => void }) {
  const links = rowsOf(created);
  const failed = created.filter(({ problem }) => problem !== undefined);
  return (
    <>
      <Code text={csvOf(links)} what="the links" />
      {failed.length > 0 && (
        <Notice tone="warn">
          <p>
            {failed.length} {failed.length === 1 ? 'link was' : 'links were'} not created:
          </p>
          <ul>
            {failed.map(({ account, problem }) => (
              <li key={account.id}>
                {userOf(account)}: {problem}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <button type="button" onClick={() => downloadCsv('links.csv', links)}>
        Download CSV
      </button>
      <CloseButton onClose={onClose} />
    </>
  );
}
