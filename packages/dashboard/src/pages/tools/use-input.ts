import {
  type BrokenRule,
  createCheckInput,
  type JsonObject,
  type JsonSchema,
  pathOf,
} from '@svc/catalog/rules';
import { useCallback, useMemo, useState } from 'preact/hooks';

export interface InputState {
  readonly input: JsonObject;
  readonly setInput: (input: JsonObject) => void;
  /** The number of calls of `fill`. Each one re-creates the fields. */
  readonly fillCount: number;
  /** Replaces the whole input. */
  readonly fill: (input: JsonObject) => void;
  /** All errors. The tool runs only without errors. */
  readonly errors: readonly BrokenRule[];
  /** The errors to show. Missing values are hidden before the first attempt to run. */
  readonly shownErrors: readonly BrokenRule[];
  readonly onInvalidJson: (pointer: string, reason: string | undefined) => void;
  readonly showAllErrors: () => void;
  /** Shows errors that the service reported, until the input changes. */
  readonly setServiceErrors: (errors: readonly BrokenRule[]) => void;
}

const MISSING = ['required', 'exactlyOneOf', 'atLeastOneOf', 'minProperties'];
const isMissing = ({ rule, received }: BrokenRule) => MISSING.includes(rule) || received === 'null';

/** The reasons why JSON texts are invalid, by JSON pointer. */
type InvalidJson = Readonly<Record<string, string>>;

function withReason(reasons: InvalidJson, pointer: string, reason: string | undefined): InvalidJson {
  if (reasons[pointer] === reason) return reasons;
  const { [pointer]: _, ...others } = reasons;
  return reason === undefined ? others : { ...others, [pointer]: reason };
}

const toErrors = (reasons: InvalidJson): readonly BrokenRule[] =>
  Object.entries(reasons).map(([pointer, message]) => ({ field: pathOf(pointer), rule: 'json', message }));

export function useInput(schema: JsonSchema): InputState {
  const [input, setInput] = useState<JsonObject>({});
  const [fillCount, setFillCount] = useState(0);
  const [showsMissing, setShowsMissing] = useState(false);
  const [invalidJson, setInvalidJson] = useState<InvalidJson>({});
  const [serviceErrors, setServiceErrors] = useState<readonly BrokenRule[]>([]);
  const check = useMemo(() => createCheckInput(schema, () => new Date()), [schema]);
  const errors = useMemo(() => [...toErrors(invalidJson), ...check(input)], [check, input, invalidJson]);
  const shownErrors = useMemo(
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
    shownErrors,
    onInvalidJson: useCallback(
      (pointer, reason) => setInvalidJson((reasons) => withReason(reasons, pointer, reason)),
      [],
    ),
    showAllErrors: () => setShowsMissing(true),
    setServiceErrors,
  };
}
