/** A seeded user of the emulated services, who can consent on a consent page. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export const PEOPLE: readonly [Person, ...Person[]] = [
  { id: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' },
  { id: 'grace', name: 'Grace Hopper', email: 'grace@example.com' },
];

export function personById(id: string): Person | undefined {
  return PEOPLE.find((person) => person.id === id);
}

export type PerPerson<State> = ReturnType<typeof perPerson<State>>;

export function perPerson<State>(create: (person: Person) => State) {
  const states = new Map<string, State>();
  return {
    of(person: Person): State {
      const known = states.get(person.id);
      if (known !== undefined) return known;
      const created = create(person);
      states.set(person.id, created);
      return created;
    },
    reset: () => states.clear(),
  };
}
