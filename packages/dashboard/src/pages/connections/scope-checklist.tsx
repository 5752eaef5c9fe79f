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
  tools.length === 1 ? 'one tool' : `${tools.length} tools`;

interface ToolsProps {
  readonly tools: readonly ScopedTool[];
}

const Opened = ({ tools }: ToolsProps) =>
  tools.length === 0 ? null : (
    <details class="soft">
      <summary>Opens {count(tools)}</summary>
      {titles(tools)}
    </details>
  );

/** The tools that work with the chosen scopes, updated with each choice. */
function Coverage({ tools, chosen }: ToolsProps & Pick<ScopesProps, 'chosen'>) {
  const closed = toolsWithout(chosen, tools);
  return (
    <p role="status" class={closed.length === 0 ? 'soft' : 'notice warn'}>
      {closed.length === 0
        ? `With these scopes all ${tools.length} tools work.`
        : `With these scopes ${tools.length - closed.length} of ${tools.length} tools work. These do not: ${titles(closed)}.`}
    </p>
  );
}

/** A field for scopes that the connector does not describe. */
export function FurtherScopes({ connector, chosen, onChosen }: ScopesProps) {
  const further = furtherScopes(chosen, connector);
  const [typed, setTyped] = useState(further.join(' '));
  const type = (text: string) => {
    setTyped(text);
    onChosen([...chosen.filter((scope) => !further.includes(scope)), ...readScopes(text)]);
  };
  return (
    <TextField
      label={connector.scopes.length === 0 ? 'Scopes' : 'Further scopes'}
      hint="As the upstream spells them, with spaces in between."
      value={typed}
      onValue={type}
      {...PLAIN}
    />
  );
}

/** The scopes to request from users, each with its meaning and its tools. */
export function ScopeChecklist({ connector, chosen, onChosen }: ScopesProps) {
  const all = useLoaded('tools', loadToolSummaries).value;
  const tools = all?.filter((tool) => tool.connector === connector.id);
  const turn = (name: string, isOn: boolean) =>
    onChosen(isOn ? [...chosen, name] : chosen.filter((scope) => scope !== name));
  return (
    <fieldset class="field scopes">
      <legend>Scopes</legend>
      <p class="hint">What each user is asked to allow: choose no more than your tools need.</p>
      {connector.scopes.map(({ name, description, default: isUsual }) => (
        <CheckField
          key={name}
          label={
            <>
              {description} {isUsual && <span class="tag">recommended</span>}
            </>
          }
          hint={<code>{name}</code>}
          checked={chosen.includes(name)}
          onValue={(isOn) => turn(name, isOn)}
        >
          {tools && <Opened tools={toolsOpenedBy(name, tools)} />}
        </CheckField>
      ))}
      {tools && <Coverage tools={tools} chosen={chosen} />}
    </fieldset>
  );
}

type ScopedTool = Pick<Tool, 'name' | 'title' | 'scopes'>;

/** The tools that a scope opens. A tool needs one of its scopes. */
export const toolsOpenedBy = (scope: string, tools: readonly ScopedTool[]): readonly ScopedTool[] =>
  tools.filter(({ scopes }) => scopes.includes(scope));

/** The tools that do not work with these scopes. */
export const toolsWithout = (
  chosen: readonly string[],
  tools: readonly ScopedTool[],
): readonly ScopedTool[] =>
  tools.filter(({ scopes }) => scopes.length > 0 && !scopes.some((scope) => chosen.includes(scope)));

/** The chosen scopes that the connector does not describe. */
export const furtherScopes = (
  chosen: readonly string[],
  { scopes }: Pick<Connector, 'scopes'>,
): readonly string[] => chosen.filter((scope) => !scopes.some(({ name }) => name === scope));

/** Reads scopes between spaces, commas or line breaks. */
export const readScopes = (text: string): readonly string[] => [
  ...new Set(text.split(/[\s,]+/).filter((scope) => scope !== '')),
];
