import type { JsonObject } from '@svc/catalog/rules';
import { useId, useState } from 'preact/hooks';
import type { Tool } from '../../api/catalogue.ts';
import { mayChange } from '../../api/session.ts';
import { Code } from '../../parts/copy.tsx';
import { CheckField, SelectField } from '../../parts/field.tsx';
import { SchemaForm } from '../../schema/schema-form.tsx';
import { serviceUrl } from '../../service-url.ts';
import { AccountChoice } from './account-choice.tsx';
import { CallResult, type Outcome } from './call-result.tsx';
import { curlSample, packageSample, type SampledCall, toolSample } from './code-samples.ts';
import { Run } from './run.tsx';
import { useAccounts } from './use-accounts.ts';
import { type InputState, useInput } from './use-input.ts';

interface PlaygroundProps {
  readonly tool: Tool;
  readonly applicationId: string;
}

type Version = NonNullable<Tool['versions']>[number];

/** Returns the version to request. `undefined` means the current version, which is the default of the service. */
const requestedVersion = ({ status, schemaVersion, toolVersion }: Version) =>
  status === 'current' ? undefined : { schemaVersion, toolVersion };

export function Playground({ tool, applicationId }: PlaygroundProps) {
  const versions: readonly Version[] = tool.versions ?? [tool];
  const [index, setIndex] = useState(() => versions.findIndex(({ status }) => status === 'current'));
  const version = versions[index] ?? tool;
  const state = useInput(version.inputSchema);
  const accounts = useAccounts(applicationId, tool.connector);
  const [outcome, setOutcome] = useState<Outcome>();
  const account = accounts.chosen;
  const call = {
    tool,
    environmentUrl: serviceUrl(),
    account: account ?? { connectionName: tool.connector, identifier: 'user_42' },
    input: state.input,
    version: requestedVersion(version),
  };
  return (
    <div class="playground">
      <section class="panel" aria-labelledby="try">
        <h2 id="try">Try this tool</h2>
        <AccountChoice state={accounts} applicationId={applicationId} connector={tool.connector} />
        <VersionChoice versions={versions} index={index} onIndex={setIndex} />
        <Input state={state} tool={tool} version={version} />
        {mayChange() ? (
          <Run
            {...{ tool, applicationId, account, state, onOutcome: setOutcome }}
            version={requestedVersion(version)}
          />
        ) : (
          <p class="soft">You have read-only access and cannot run tools.</p>
        )}
      </section>
      <div class="stack">
        <p class="hidden" role="status">
          {outcome && 'response' in outcome && 'The tool call has finished.'}
          {outcome && 'plan' in outcome && 'The dry run has finished.'}
        </p>
        {outcome && <CallResult outcome={outcome} applicationId={applicationId} toolName={tool.name} />}
        <CodeSample call={call} />
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
      choices={versions.map(({ schemaVersion, toolVersion, status }, position) => ({
        value: String(position),
        title: `Tool version ${toolVersion}, schema version ${schemaVersion} (${status})`,
      }))}
      onValue={(position) => onIndex(Number(position))}
    />
  );

interface InputProps {
  readonly state: InputState;
  readonly tool: Tool;
  readonly version: Version;
}

function Input({ state, tool, version }: InputProps) {
  const [isJson, setJson] = useState(false);
  const { input, setInput, fillCount, fill, visibleErrors, onInvalidJson } = state;
  if (Object.keys(Object(version.inputSchema['properties'])).length === 0)
    return <p class="soft">This tool takes no input.</p>;
  return (
    <>
      <div class="row">
        <h3>Input</h3>
        <CheckField
          label="Edit as JSON"
          checked={isJson}
          onValue={(next) => {
            fill(input);
            setJson(next);
          }}
        />
      </div>
      <Examples examples={tool.examples ?? []} onExample={fill} />
      <SchemaForm
        key={`${fillCount} ${version.schemaVersion} ${isJson}`}
        schema={version.inputSchema}
        value={input}
        onValue={setInput}
        {...{ isJson, errors: visibleErrors, onInvalidJson }}
      />
    </>
  );
}

interface ExamplesProps {
  readonly examples: NonNullable<Tool['examples']>;
  readonly onExample: (input: JsonObject) => void;
}

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
        {examples.map(({ title }, position) => (
          <option key={title} value={position}>
            {title}
          </option>
        ))}
      </select>
      <button type="button" onClick={() => onExample(structuredClone(example.input))}>
        Use example
      </button>
    </div>
  );
}

const LANGUAGES = [
  { value: 'package', title: 'TypeScript: method of the connector package', write: packageSample },
  { value: 'name', title: 'TypeScript: call by tool name', write: toolSample },
  { value: 'curl', title: 'curl', write: curlSample },
] as const;

function CodeSample({ call }: { readonly call: SampledCall }) {
  const [language, setLanguage] = useState<string>(LANGUAGES[0].value);
  const { title, write } = LANGUAGES.find(({ value }) => value === language) ?? LANGUAGES[0];
  return (
    <section class="panel" aria-labelledby="same-call">
      <h2 id="same-call">Code sample</h2>
      <SelectField label="Language" value={language} choices={LANGUAGES} onValue={setLanguage} />
      <Code text={write(call)} what={`Code sample in ${title}`} />
    </section>
  );
}
