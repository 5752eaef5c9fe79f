import { uuidFrom } from '../../identifiers.js';
import { PEOPLE, type Person } from '../../person.js';

export type PersonUser = ReturnType<typeof personUser>;

export function personUser(person: Person) {
  const id = uuidFrom(`workspace person ${person.id}`);
  return {
    object: 'user',
    id,
    name: person.name,
    avatar_url: null,
    type: 'person',
    person: { email: person.email },
  };
}

export const PERSON_USERS: readonly PersonUser[] = PEOPLE.map(personUser);

export function workspaceOf(person: Person): { id: string; name: string } {
  return { id: uuidFrom(`workspace of ${person.id}`), name: `${person.name}'s Workspace` };
}

export function botId(person: Person, clientId: string): string {
  return uuidFrom(`workspace bot ${person.id} ${clientId}`);
}
