const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const WRONG = [null, true, -1, 1e9, 0.5, '', 'no-such-value', '2999-01-01T00:00:00Z', [], [{}], {}];

/** Variants of an input that each differ at one path: a value is omitted, added, or of another type. */
export function worsen(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) {
    return [
      [...value, ...value],
      ...value.flatMap((item, index) => worsen(item).map((worse) => value.with(index, worse))),
    ];
  }
  if (!isObject(value)) return WRONG;
  return [
    { ...value, unknownField: 1 },
    ...WRONG,
    ...Object.keys(value).flatMap((name) => {
      const { [name]: part, ...rest } = value;
      return [
        rest,
        { ...rest, [`${name}s`]: part },
        ...worsen(part).map((worse) => ({ ...rest, [name]: worse })),
      ];
    }),
  ];
}
