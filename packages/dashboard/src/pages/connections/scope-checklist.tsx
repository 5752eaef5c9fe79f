import { useState } from 'preact/hooks';
import { type Connector, loadToolSummaries, type Tool } from '../../api/catalogue.ts';
import { CheckField, PLAIN, TextField } from '../../parts/field.tsx';
import { useLoaded } from '../../parts/loaded.tsx';

export interface ScopesProps {
  readonly connector: Connector;
  readonly chosen: readonly string[];
  readonly onChosen: (chosen: readonly string[]) => void;
}

const titles = (tools: readonly ScopedTool[]): string => tools.map(({ title }) => title).join(', ');

const count = (tools: readonly ScopedTool[]): string =>
  tools.length === 1 ? '1 tool' : `${tools.length} tools`;

interface ToolsProps {
  readonly tools: readonly ScopedTool[];
}

const EnabledTools = ({ tools }: ToolsProps) =>
  tools.length === 0 ? null : (
    <details class="soft">
      <summary>Enables {count(tools)}</summary>
      {titles(tools)}
    </details>
  );

function Coverage({ tools, chosen }: ToolsProps & Pick<ScopesProps, 'chosen'>) {
  const disabled = toolsWithout(chosen, tools);
  return (
    <p role="status" class={disabled.length === 0 ? 'soft' : 'notice warn'}>
      {disabled.length === 0
        ? `All ${tools.length} tools work with these scopes.`
        : `${tools.length - disabled.length} of ${tools.length} tools work with these scopes. Tools with missing scopes: ${titles(disabled)}.`}
    </p>
  );
}

/** Form field for scopes that the connector does not describe. */
export function AdditionalScopes({ connector, chosen, onChosen }: ScopesProps) {
  const additional = additionalScopes(chosen, connector);
  const [typed, setTyped] = useState(additional.join(' '));
  const type = (text: string) => {
    setTyped(text);
    onChosen([...chosen.filter((scope) => !additional.includes(scope)), ...readScopes(text)]);
  };
  return (
    <TextField
      label={connector.scopes.length === 0 ? 'Scopes' : 'Additional scopes'}
      hint="The scope names of the upstream, separated by spaces."
      value={typed}
      onValue={type}
      {...PLAIN}
    />
  );
}

export function ScopeChecklist({ connector, chosen, onChosen }: ScopesProps) {
  const all = useLoaded('tools', loadToolSummaries).value;
  const tools = all?.filter((tool) => tool.connector === connector.id);
  const toggle = (name: string, isOn: boolean) =>
    onChosen(isOn ? [...chosen, name] : chosen.filter((scope) => scope !== name));
  return (
    <fieldset class="field scopes">
      <legend>Scopes</legend>
      <p class="hint">Users consent to these scopes. Choose only the scopes that your tools need.</p>
      {connector.scopes.map(({ name, description, default: isRecommended }) => (
        <CheckField
          key={name}
          label={
            <>
              {description} {isRecommended && <span class="tag">recommended</span>}
            </>
          }
          hint={<code>{name}</code>}
          checked={chosen.includes(name)}
          onValue={(isOn) => toggle(name, isOn)}
        >
          {tools && <EnabledTools tools={toolsEnabledBy(name, tools)} />}
        </CheckField>
      ))}
      {tools && <Coverage tools={tools} chosen={chosen} />}
    </fieldset>
  );
}

type ScopedTool = Pick<Tool, 'name' | 'title' | 'scopes'>;

/** Returns the tools that a scope enables. A tool works with any one of its scopes. */
export const toolsEnabledBy = (scope: string, tools: readonly ScopedTool[]): readonly ScopedTool[] =>
  tools.filter(({ scopes }) => scopes.includes(scope));

/** Returns the tools that do not work with the chosen scopes. */
export const toolsWithout = (
  chosen: readonly string[],
  tools: readonly ScopedTool[],
): readonly ScopedTool[] =>
  tools.filter(({ scopes }) => scopes.length > 0 && !scopes.some((scope) => chosen.includes(scope)));

/** Returns the chosen scopes that the connector does not describe. */
export const additionalScopes = (
  chosen: readonly string[],
  { scopes }: Pick<Connector, 'scopes'>,
): readonly string[] => chosen.filter((scope) => !scopes.some(({ name }) => name === scope));

/** Splits text into scopes at spaces, commas and line breaks. Duplicates are removed. */
export const readScopes = (text: string): readonly string[] => [
  ...new Set(text.split(/[\s,]+/).filter((scope) => scope !== '')),
];
