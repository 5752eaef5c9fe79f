import { loadToolSummaries, type ToolSummary } from '../../api/catalogue.ts';
import { SelectField } from '../../parts/field.tsx';
import { Show, useLoaded } from '../../parts/loaded.tsx';
import type { Policy, Settings } from './settings.ts';

interface ApprovalFieldsProps {
  readonly connector: string;
  readonly policy: Policy;
  readonly onChange: (change: Pick<Settings, 'approve'>) => void;
}

const DEFAULTS = [
  { value: 'never', title: 'No call' },
  { value: 'destructive', title: 'Calls that delete or overwrite' },
  { value: 'always', title: 'Every call' },
] as const;

const OWN = [
  { value: '', title: 'As above' },
  { value: 'always', title: 'Always ask' },
  { value: 'never', title: 'Never ask' },
];

const isWord = (value: string): value is 'always' | 'never' => value === 'always' || value === 'never';

/** Sets or removes the exception for one tool. */
function withTool({ tools, ...policy }: Policy, name: string, value: string): Policy {
  const { [name]: _, ...others } = tools;
  return { ...policy, tools: isWord(value) ? { ...others, [name]: value } : others };
}

const marks = ({ hints }: ToolSummary): string => {
  if (hints.readOnly) return 'reads';
  return hints.destructive ? 'deletes or overwrites' : 'writes';
};

/** The choice of the calls that need approval. */
export function ApprovalFields({ connector, policy, onChange }: ApprovalFieldsProps) {
  const loaded = useLoaded(connector, async () =>
    (await loadToolSummaries()).filter((tool) => tool.connector === connector),
  );
  const set = (approve: Policy) => onChange({ approve });
  return (
    <details>
      <summary>Ask a person first</summary>
      <div class="stack">
        <p class="soft">
          Such a call waits under Approvals until somebody agrees, and then runs once. Requests through the
          proxy cannot be put into words: where anybody is asked, they only read, and where about every call,
          there are none.
        </p>
        <SelectField
          label="A person is asked before"
          value={policy.default}
          choices={DEFAULTS}
          onValue={(value) => {
            const chosen = DEFAULTS.find((each) => each.value === value);
            if (chosen) set({ ...policy, default: chosen.value });
          }}
        />
        <Show of={loaded}>
          {(tools) => (
            <details>
              <summary>Tool by tool</summary>
              <div class="stack">
                {tools.map((tool) => (
                  <SelectField
                    key={tool.name}
                    label={tool.title}
                    hint={`${tool.name}, which ${marks(tool)}`}
                    value={policy.tools[tool.name] ?? ''}
                    choices={OWN}
                    onValue={(value) => set(withTool(policy, tool.name, value))}
                  />
                ))}
              </div>
            </details>
          )}
        </Show>
      </div>
    </details>
  );
}
