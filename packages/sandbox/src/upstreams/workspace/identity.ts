import { uuidFrom } from '../../identifiers.js';
import { PEOPLE, type Person } from '../../person.js';

export interface PersonUser {
  readonly object: 'user';
  readonly id: string;
  readonly name: string;
  readonly avatar_url: null;
  readonly type: 'person';
  readonly person: { readonly email: string };
}

export function personUser(person: Person): PersonUser {
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
