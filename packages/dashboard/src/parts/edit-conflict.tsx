import { ApiError } from '../api/api-error.ts';
import { Notice } from './notice.tsx';
import { type Column, Table } from './table.tsx';
import { Time } from './time.tsx';
import type { Difference, EditedDraft } from './use-draft.ts';

/** Values that the operator typed into a form. After a conflict, the dashboard compares them with the stored values. */
interface Compared {
  readonly draft: EditedDraft;
  /** Labels of the form fields by the names of their values. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Form that changes stored settings, which other people may change at the same time. */
export interface Edit {
  /** Loads the stored settings again, with their version. */
  readonly onReload: () => void;
  /** Absent for a form without fields. */
  readonly compared?: Compared | undefined;
}

/** Returns true if the service refused a change because somebody else has changed the settings. */
export const isEditConflict = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'conflict' && error.details['reason'] === 'changed';

/** Describes the actor of an audit event. */
function actorWords(actor: unknown): string {
  if (typeof actor !== 'string') return 'Somebody';
  if (actor.startsWith('operator:')) return actor.slice('operator:'.length);
  return actor === 'command' ? 'Somebody on the command line' : 'Your application';
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Describes the value of a form field. */
function valueWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.map(valueWords).join(', ') || 'None';
  if (isObject(value)) {
    const entries = Object.entries(value).filter(
      ([, each]) => !isObject(each) || Object.keys(each).length > 0,
    );
    return entries.map(([name, each]) => `${name}: ${valueWords(each)}`).join('; ') || 'None';
  }
  if (typeof value === 'string' && value.startsWith('data:')) return 'An image';
  return value === undefined || value === null || value === '' ? 'None' : String(value);
}

const columnsOf = (labels: Compared['labels']): readonly Column<Difference>[] => [
  { title: 'Setting', cell: ({ name }) => labels[name] ?? name },
  { title: 'Your value', cell: ({ mine }) => valueWords(mine) },
  { title: 'Stored value', cell: ({ theirs }) => valueWords(theirs) },
];

interface ConflictNoticeProps extends Pick<Edit, 'compared'> {
  readonly conflict: ApiError;
  /** Label of the button that submits the form. */
  readonly submit: string;
}

function adviceOf({ compared, submit }: Omit<ConflictNoticeProps, 'conflict'>): string {
  if (compared === undefined)
    return `The page now shows the current settings. Check these settings, then choose “${submit}” again, or cancel.`;
  return compared.draft.differences.length === 0
    ? 'The stored values are now equal to the values in this form.'
    : 'Compare the values. “Overwrite” saves your values, and “Use stored values” discards them.';
}

/** Shows who changed the stored settings meanwhile, and compares the values in the form with the stored values. */
export const ConflictNotice = ({ conflict, compared, submit }: ConflictNoticeProps) => {
  const { changedBy, changedAt } = conflict.details;
  const differences = compared?.draft.differences ?? [];
  return (
    <>
      <Notice tone="bad">
        <p>
          <strong>{actorWords(changedBy)}</strong> changed these settings after you opened them
          {typeof changedAt === 'string' && (
            <>
              {' '}
              (<Time at={changedAt} />)
            </>
          )}
          . {compared ? 'Your changes are not saved yet.' : 'The service did not save your change.'}
        </p>
        <p>{adviceOf({ compared, submit })}</p>
      </Notice>
      {compared && differences.length > 0 && (
        <Table
          caption="Differences"
          columns={columnsOf(compared.labels)}
          rows={differences}
          keyOf={({ name }) => name}
        />
      )}
    </>
  );
};
