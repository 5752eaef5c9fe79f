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
  { value: 'never', title: 'No calls' },
  { value: 'destructive', title: 'Calls that delete or overwrite data' },
  { value: 'always', title: 'All calls' },
] as const;

const OVERRIDES = [
  { value: '', title: 'Use the connection’s rule' },
  { value: 'always', title: 'Always require approval' },
  { value: 'never', title: 'Never require approval' },
];

const isWord = (value: string): value is 'always' | 'never' => value === 'always' || value === 'never';

/** Sets the approval override of one tool. Any value except `always` and `never` removes the override. */
function withTool({ tools, ...policy }: Policy, name: string, value: string): Policy {
  const { [name]: _, ...others } = tools;
  return { ...policy, tools: isWord(value) ? { ...others, [name]: value } : others };
}

const effectWords = ({ hints }: ToolSummary): string => {
  if (hints.readOnly) return 'read-only';
  return hints.destructive ? 'deletes or overwrites data' : 'writes data';
};

export function ApprovalFields({ connector, policy, onChange }: ApprovalFieldsProps) {
  const loaded = useLoaded(connector, async () =>
    (await loadToolSummaries()).filter((tool) => tool.connector === connector),
  );
  const set = (approve: Policy) => onChange({ approve });
  return (
    <details>
      <summary>Approvals</summary>
      <div class="stack">
        <p class="soft">
          If a call needs approval, the caller gets an error, and the page Approvals lists the call. After a
          person approves the call, it runs once, when the caller repeats it. Nobody can approve proxied
          requests: they are read-only if some calls need approval, and blocked if all calls need it.
        </p>
        <SelectField
          label="Require approval for"
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
              <summary>Rules for individual tools</summary>
              <div class="stack">
                {tools.map((tool) => (
                  <SelectField
                    key={tool.name}
                    label={tool.title}
                    hint={`${tool.name}: ${effectWords(tool)}`}
                    value={policy.tools[tool.name] ?? ''}
                    choices={OVERRIDES}
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
