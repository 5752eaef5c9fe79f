import { expect, test } from 'vitest';
import { createDatabaseClock } from './database-clock.js';

/** A machine whose clock is wrong by hours, and a database that answers after so many milliseconds. */
function createTimes() {
  const times = { local: 1_799_990_000_000, database: 1_800_000_000_000, answersAfter: 0 };
  const pass = (ms: number) => {
    times.local += ms;
    times.database += ms;
  };
  const read = async () => {
    pass(times.answersAfter / 2);
    const read = times.database;
    pass(times.answersAfter / 2);
    return read;
  };
  return { times, pass, clock: createDatabaseClock({ read, local: () => times.local }) };
}

test("R9: the time is the database's, whatever the clock of the machine says", async () => {
  const { times, pass, clock } = createTimes();
  times.answersAfter = 80;
  await clock.follow();
  pass(60_000);
  expect(clock.now()).toBe(times.database);
});

test('R9: a clock of the database that is set is followed', async () => {
  const { times, clock } = createTimes();
  await clock.follow();
  times.database += 300_000;
  await clock.follow();
  expect(clock.now()).toBe(times.database);
});

test('R9: an answer that took too long, as over a pause of the process, changes nothing', async () => {
  const { times, clock } = createTimes();
  await clock.follow();
  times.answersAfter = 60_000;
  times.database += 7000;
  await clock.follow();
  expect(clock.now()).toBe(times.database - 7000);
});
