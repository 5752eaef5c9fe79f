import type { JsonObject } from '@svc/catalog/rules';
import { useId, useState } from 'preact/hooks';
import type { Tool } from '../../api/catalogue.ts';
import { mayChange } from '../../api/session.ts';
import { Code } from '../../parts/copy.tsx';
import { CheckField, SelectField } from '../../parts/field.tsx';
import { SchemaForm } from '../../schema/schema-form.tsx';
import { AccountChoice } from './account-choice.tsx';
import { CallResult, type Ending } from './call-result.tsx';
import { curlSample, packageSample, type SampledCall, toolSample } from './code-samples.ts';
import { Run } from './run.tsx';
import { useAccounts } from './use-accounts.ts';
import { type InputState, useInput } from './use-input.ts';

interface PlaygroundProps {
  readonly tool: Tool;
  readonly applicationId: string;
}

type Version = NonNullable<Tool['versions']>[number];

/** The version to request; `undefined` for the current one, which is the default. */
const wantedVersion = ({ status, schemaVersion, toolVersion }: Version) =>
  status === 'current' ? undefined : { schemaVersion, toolVersion };

/** A place to try a tool: the input, the account, the result, and the same call in code. */
export function Playground({ tool, applicationId }: PlaygroundProps) {
  const versions: readonly Version[] = tool.versions ?? [tool];
  const [index, setIndex] = useState(() => versions.findIndex(({ status }) => status === 'current'));
  const version = versions[index] ?? tool;
  const state = useInput(version.inputSchema);
  const accounts = useAccounts(applicationId, tool.connector);
  const [ending, setEnding] = useState<Ending>();
  const account = accounts.chosen;
  const sampled = {
    tool,
    environmentUrl: location.origin,
    account: account ?? { connectionName: tool.connector, identifier: 'user_42' },
    input: state.input,
    version: wantedVersion(version),
  };
  return (
    <div class="playground">
      <section class="panel" aria-labelledby="try">
        <h2 id="try">Try it</h2>
        <AccountChoice state={accounts} applicationId={applicationId} connector={tool.connector} />
        <VersionChoice versions={versions} index={index} onIndex={setIndex} />
        <Input state={state} tool={tool} version={version} />
        {mayChange() ? (
          <Run
            {...{ tool, applicationId, account, state, onEnding: setEnding }}
            version={wantedVersion(version)}
          />
        ) : (
          <p class="soft">Your role is reader: you may look, and somebody else runs tools.</p>
        )}
      </section>
      <div class="stack">
        <p class="hidden" role="status">
          {ending && 'answer' in ending && 'The tool has answered.'}
          {ending && 'plan' in ending && 'The dry run has ended.'}
        </p>
        {ending && <CallResult ending={ending} applicationId={applicationId} toolName={tool.name} />}
        <SameCall sampled={sampled} />
      </div>
    </div>
  );
}

interface VersionChoiceProps {
  readonly versions: readonly Version[];
  readonly index: number;
  readonly onIndex: (index: number) => void;
}

const VersionChoice = ({ versions, index, onIndex }: VersionChoiceProps) =>
  versions.length < 2 ? null : (
    <SelectField
      label="Version"
      value={String(index)}
      choices={versions.map(({ schemaVersion, toolVersion, status }, place) => ({
        value: String(place),
        title: `Schema ${schemaVersion}, tool ${toolVersion} (${status})`,
      }))}
      onValue={(place) => onIndex(Number(place))}
    />
  );

interface InputProps {
  readonly state: InputState;
  readonly tool: Tool;
  readonly version: Version;
}

function Input({ state, tool, version }: InputProps) {
  const [isJson, setJson] = useState(false);
  const { input, setInput, turn, fill, told, onUnreadable } = state;
  const isNothing = Object.keys(Object(version.inputSchema['properties'])).length === 0;
  if (isNothing) return <p class="soft">This tool takes no input.</p>;
  return (
    <>
      <div class="row">
        <h3>Input</h3>
        <CheckField
          label="As JSON"
          checked={isJson}
          onValue={(next) => {
            fill(input);
            setJson(next);
          }}
        />
      </div>
      <Examples examples={tool.examples ?? []} onExample={fill} />
      <SchemaForm
        key={`${turn} ${version.schemaVersion} ${isJson}`}
        schema={version.inputSchema}
        value={input}
        onValue={setInput}
        {...{ isJson, broken: told, onUnreadable }}
      />
    </>
  );
}

interface ExamplesProps {
  readonly examples: NonNullable<Tool['examples']>;
  readonly onExample: (input: JsonObject) => void;
}

/** The examples of the catalogue. */
function Examples({ examples, onExample }: ExamplesProps) {
  const id = useId();
  const [index, setIndex] = useState(0);
  const example = examples[index];
  if (example === undefined) return null;
  return (
    <div class="examples">
      <label class="hidden" for={id}>
        Example
      </label>
      <select id={id} value={index} onChange={(event) => setIndex(Number(event.currentTarget.value))}>
        {examples.map(({ title }, place) => (
          <option key={title} value={place}>
            {title}
          </option>
        ))}
      </select>
      <button type="button" onClick={() => onExample(structuredClone(example.input))}>
        Fill in<span class="hidden"> this example</span>
      </button>
    </div>
  );
}

const WAYS = [
  { value: 'package', title: 'TypeScript, with the typed package', write: packageSample },
  { value: 'name', title: 'TypeScript, by the name of the tool', write: toolSample },
  { value: 'curl', title: 'curl', write: curlSample },
] as const;

/** The typed call as a program makes it. */
function SameCall({ sampled }: { readonly sampled: SampledCall }) {
  const [way, setWay] = useState<string>(WAYS[0].value);
  const { title, write } = WAYS.find(({ value }) => value === way) ?? WAYS[0];
  return (
    <section class="panel" aria-labelledby="same-call">
      <h2 id="same-call">Same call in code</h2>
      <SelectField label="Written in" value={way} choices={WAYS} onValue={setWay} />
      <Code text={write(sampled)} what={`The call in ${title}`} />
    </section>
  );
}
