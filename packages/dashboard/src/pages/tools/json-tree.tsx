import { isJsonObject } from '@svc/catalog/rules';
import { useState } from 'preact/hooks';

/** Maximum number of children that a tree node shows before the user asks for more. */
const INITIAL_LIMIT = 100;
/** Depth to which the tree is expanded when it is first shown. */
const OPEN_DEPTH = 2;

interface JsonTreeProps {
  readonly value: unknown;
  readonly name?: string;
  readonly depth?: number;
}

const partsOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  Array.isArray(value)
    ? value.map((item, index) => [String(index), item])
    : isJsonObject(value)
      ? Object.entries(value)
      : [];

const sizeOf = (value: unknown, count: number): string => {
  const noun = Array.isArray(value) ? 'item' : 'field';
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
};

export function JsonTree({ value, name, depth = 0 }: JsonTreeProps) {
  const [limit, setLimit] = useState(INITIAL_LIMIT);
  const parts = partsOf(value);
  const label = name !== undefined && <span class="name">{name}: </span>;
  if (parts.length === 0)
    return (
      <div class="leaf">
        {label}
        <span class={value === null ? 'soft' : typeof value}>{JSON.stringify(value)}</span>
      </div>
    );
  return (
    <details open={depth < OPEN_DEPTH}>
      <summary>
        {label}
        <span class="soft">{sizeOf(value, parts.length)}</span>
      </summary>
      {parts.slice(0, limit).map(([key, part]) => (
        <JsonTree key={key} name={key} value={part} depth={depth + 1} />
      ))}
      {parts.length > limit && (
        <button type="button" class="small" onClick={() => setLimit(limit * 10)}>
          Show more ({parts.length} in total)
        </button>
      )}
    </details>
  );
}
