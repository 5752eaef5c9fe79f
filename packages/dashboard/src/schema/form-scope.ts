import type { BrokenRule, JsonSchema } from '@svc/catalog/rules';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

export interface FormScope {
  /** Root schema of the form, against which `$ref` values are resolved. */
  readonly root: JsonSchema;
  readonly errors: readonly BrokenRule[];
  /** Reports that the text of a JSON field is invalid. `reason` is `undefined` if the text is valid again. */
  readonly onInvalidJson: (pointer: string, reason: string | undefined) => void;
}

export const FormContext = createContext<FormScope>({ root: {}, errors: [], onInvalidJson: () => undefined });

export const useForm = (): FormScope => useContext(FormContext);

const messagesOf = (errors: readonly BrokenRule[]): string | undefined =>
  errors.length === 0 ? undefined : errors.map(({ message }) => `${message}.`).join(' ');

/** Returns the error messages of the value at a path, without errors of its children. */
export const errorAt = (errors: readonly BrokenRule[], path: string): string | undefined =>
  messagesOf(errors.filter(({ field }) => field === path));

/** Returns the error messages of the value at a path, including errors of its children. */
export const errorIn = (errors: readonly BrokenRule[], path: string): string | undefined =>
  messagesOf(errors.filter(({ field }) => path === '' || isIn(field, path)));

const isIn = (field: string, path: string) =>
  field === path || (field.startsWith(path) && /^[.[]/.test(field.slice(path.length)));
