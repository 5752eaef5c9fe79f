import { type BrokenRule, isJsonObject, type JsonObject } from '@svc/catalog/rules';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import type { Tool } from '../../api/catalogue.ts';
import { mayChange } from '../../api/session.ts';
import { CheckField, SelectField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { SchemaForm } from '../../schema/schema-form.tsx';
import { AccountChoice } from './account-choice.tsx';
import { CallResult, type Ending, type ExecuteBody } from './call-result.tsx';
import { Examples } from './examples.tsx';
import { effectOf } from './find-tools.ts';
import { RunButton } from './run-button.tsx';
import { SameCall } from './same-call.tsx';
import { type Account, useAccounts } from './use-accounts.ts';
import { type InputState, useInput } from './use-input.ts';

interface PlaygroundProps {
  readonly tool: Tool;
  readonly applicationId: string;
}

type Version = NonNullable<Tool['versions']>[number];

/** Names the version of a call where it is not the one that runs anyway. */
const wantedVersion = ({ status, schemaVersion, toolVersion }: Version) =>
  status === 'current' ? undefined : { schemaVersion, toolVersion };

/** A place to try a tool: an input by its schema, the account it runs as, what comes back, and the same call in code. */
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
        {versions.length > 1 && (
          <SelectField
            label="Version"
            value={String(index)}
            choices={versions.map((each, place) => ({
              value: String(place),
              title: `Schema ${each.schemaVersion}, tool ${each.toolVersion} (${each.status})`,
            }))}
            onValue={(place) => setIndex(Number(place))}
          />
        )}
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
        </p>
        {ending && <CallResult ending={ending} applicationId={applicationId} toolName={tool.name} />}
        <SameCall sampled={sampled} />
      </div>
    </div>
  );
}

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

interface RunProps extends PlaygroundProps {
  readonly account: Account | undefined;
  readonly state: InputState;
  readonly version: Pick<ExecuteBody, 'schemaVersion' | 'toolVersion'> | undefined;
  readonly onEnding: (ending: Ending | undefined) => void;
}

const isBrokenRule = (value: unknown): value is BrokenRule =>
  isJsonObject(value) && typeof value['field'] === 'string' && typeof value['message'] === 'string';

/** What the service found wrong in the input. */
const foundBy = (error: unknown): readonly BrokenRule[] => {
  const errors = error instanceof ApiError ? error.details['errors'] : undefined;
  return Array.isArray(errors) ? errors.filter(isBrokenRule) : [];
};

async function execute(
  toolName: string,
  { applicationId, account, state, version }: RunProps,
  signal: AbortSignal,
) {
  const started = performance.now();
  const durationMs = () => performance.now() - started;
  const path = { applicationId, toolName };
  const toolInput: JsonObject = state.input;
  const body = { connectedAccountId: account?.id ?? '', toolInput, ...version };
  try {
    const answer = await call(
      'POST /operator/v1/applications/{applicationId}/tools/{toolName}/execute',
      { path, body },
      { signal },
    );
    return { answer, durationMs: durationMs() };
  } catch (error) {
    return { error, durationMs: durationMs() };
  }
}

function Run(props: RunProps) {
  const { tool, account, state, onEnding } = props;
  const [running, setRunning] = useState<AbortController>();
  const isAlive = useRef(true);
  useEffect(
    () => () => {
      isAlive.current = false;
    },
    [],
  );
  const run = async () => {
    const aborter = new AbortController();
    onEnding(undefined);
    setRunning(aborter);
    const ending = await execute(tool.name, props, aborter.signal);
    if (!isAlive.current) return;
    setRunning(undefined);
    if (aborter.signal.aborted) return;
    if ('error' in ending) state.tellFound(foundBy(ending.error));
    onEnding(ending);
  };
  return (
    <>
      {state.told.length > 0 && (
        <Notice tone="warn">
          <p role="status">
            {state.told.length === 1 ? 'One thing is' : `${state.told.length} things are`} to be mended first.
          </p>
        </Notice>
      )}
      <RunButton
        account={account}
        isDestructive={effectOf(tool.hints) === 'destroys'}
        isRunning={running !== undefined}
        mayTakeLong={tool.hints.longRunning}
        isReady={() => {
          state.tellAll();
          return state.broken.length === 0;
        }}
        run={run}
        stop={() => running?.abort()}
      />
    </>
  );
}
