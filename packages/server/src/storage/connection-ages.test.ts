import { expect, test } from 'vitest';
import { createAges } from './connection-ages.js';

/** Connections by the moment at which they were made. */
function ages(...moments: number[]) {
  let clock = 0;
  let note: (connection: object) => void = () => undefined;
  const { isLost, lose } = createAges<object>(
    (noted) => {
      note = noted;
    },
    () => clock,
  );
  const connections = moments.map((moment) => {
    clock = moment;
    const connection = {};
    note(connection);
    return connection;
  });
  return { lose, lost: () => connections.map(isLost) };
}

test('no connection is lost before an answer stays out', () => {
  expect(ages(0, 10).lost()).toEqual([false, false]);
});

test('connections made before the question are lost with the one that got no answer', () => {
  const { lose, lost } = ages(1, 5, 20);
  lose(10);
  expect(lost()).toEqual([true, true, false]);
});

test('what is noticed later, of a question asked before, takes no new connection with it', () => {
  const { lose, lost } = ages(1, 11_001);
  lose(0.5);
  lose(2000);
  lose(10);
  expect(lost()).toEqual([true, false]);
});
