import {
  type BrokenRule,
  createCheckInput,
  type JsonObject,
  type JsonSchema,
  pathOf,
} from '@svc/catalog/rules';
import { useCallback, useMemo, useState } from 'preact/hooks';
import { useDraft } from '../../parts/use-draft.ts';

export interface InputState {
  readonly input: JsonObject;
  readonly setInput: (input: JsonObject) => void;
  /** Number of `fill` calls so far. The form fields use it as a key, so that each `fill` creates them again. */
  readonly fillCount: number;
  /** Replaces the whole tool input, for example by an example of the tool. */
  readonly fill: (input: JsonObject) => void;
  /** All errors of the tool input. The tool runs only if there are none. */
  readonly errors: readonly BrokenRule[];
  /** Errors that the form shows. Missing values are hidden before the first attempt to run the tool. */
  readonly visibleErrors: readonly BrokenRule[];
  readonly onInvalidJson: (pointer: string, reason: string | undefined) => void;
  readonly showAllErrors: () => void;
  /** Shows errors that the service reported, until the user changes the input. */
  readonly setServiceErrors: (errors: readonly BrokenRule[]) => void;
  /** Marks the input as sent, so that the dashboard does not ask about unsaved changes. */
  readonly markSent: () => void;
}

const NO_INPUT: JsonObject = {};
const MISSING = ['required', 'exactlyOneOf', 'atLeastOneOf', 'minProperties'];
const isMissing = ({ rule, received }: BrokenRule) => MISSING.includes(rule) || received === 'null';

/** Reasons why the text of a JSON field is invalid, by the JSON pointer of the field. */
type InvalidJson = Readonly<Record<string, string>>;

function withReason(reasons: InvalidJson, pointer: string, reason: string | undefined): InvalidJson {
  if (reasons[pointer] === reason) return reasons;
  const { [pointer]: _, ...others } = reasons;
  return reason === undefined ? others : { ...others, [pointer]: reason };
}

const toErrors = (reasons: InvalidJson): readonly BrokenRule[] =>
  Object.entries(reasons).map(([pointer, message]) => ({ field: pathOf(pointer), rule: 'json', message }));

/** Returns the names of the inputs that contain a secret. */
const secretInputs = ({ properties = {} }: JsonSchema): readonly string[] =>
  Object.entries(Object(properties)).flatMap(([name, each]) =>
    JSON.stringify(each).includes('"writeOnly":true') ? [name] : [],
  );

/** Holds the input of a tool as the draft of a form, so that it is not lost when the session ends. */
function useInputDraft(schema: JsonSchema) {
  const draft = useDraft<JsonObject>({ form: 'input', initial: NO_INPUT, secrets: secretInputs(schema) });
  const input = Object.fromEntries(Object.entries(draft.value).filter(([, value]) => value !== undefined));
  return {
    input: useMemo(() => input, [JSON.stringify(input)]),
    setInput: (next: JsonObject) => {
      const without = Object.fromEntries(Object.keys(draft.value).map((name) => [name, undefined]));
      draft.change({ ...without, ...next });
    },
    markSent: () => draft.reset(),
  };
}

export function useInput(schema: JsonSchema): InputState {
  const { input, setInput, markSent } = useInputDraft(schema);
  const [fillCount, setFillCount] = useState(0);
  const [showsMissing, setShowsMissing] = useState(false);
  const [invalidJson, setInvalidJson] = useState<InvalidJson>({});
  const [serviceErrors, setServiceErrors] = useState<readonly BrokenRule[]>([]);
  const check = useMemo(() => createCheckInput(schema, () => new Date()), [schema]);
  const errors = useMemo(() => [...toErrors(invalidJson), ...check(input)], [check, input, invalidJson]);
  const visibleErrors = useMemo(
    () => [...serviceErrors, ...errors.filter((rule) => showsMissing || !isMissing(rule))],
    [serviceErrors, errors, showsMissing],
  );
  return {
    input,
    setInput: (next) => {
      setServiceErrors([]);
      setInput(next);
    },
    fillCount,
    fill: (next) => {
      setServiceErrors([]);
      setShowsMissing(false);
      setInvalidJson({});
      setInput(next);
      setFillCount(fillCount + 1);
    },
    errors,
    visibleErrors,
    onInvalidJson: useCallback(
      (pointer, reason) => setInvalidJson((reasons) => withReason(reasons, pointer, reason)),
      [],
    ),
    showAllErrors: () => setShowsMissing(true),
    setServiceErrors,
    markSent,
  };
}
